import { randomUUID } from 'node:crypto';
import { ShortLinkClient } from '../../src/locations/short-links/short-link.client.js';
import { startHttpStub, type HttpStub } from '../support/http-stub.js';
import { UNREACHED_LIMITS } from '../support/map-hosts.js';
import { noteOf, numberIn, PanelBrowser } from '../support/panel.js';
import { createTestApp, type TestApp, type TestMerchant, type TestOperator } from '../support/test-app.js';

const PATH = '/panel/recogidas';
const NUEVA = '/panel/guias/nueva';
const BODEGA = { nombre: 'Bodega zona 1', direccion: 'Portón gris', lat: '14.6349', lng: '-90.5069' };
const LOCAL = { nombre: 'Local Pradera', direccion: 'Sótano 1', maps_url: '14.6407, -90.5133' };
const GUIA = { telefono: '5555 0101', departamento: 'Guatemala', municipio: 'Mixco' };

interface Punto {
  id: string;
  nombre: string;
  isUsual: boolean;
}

describe('the pickup points of a merchant', () => {
  let maps: HttpStub;
  let test: TestApp;
  let operator: TestOperator;
  let merchant: TestMerchant;
  let browser: PanelBrowser;

  beforeAll(async () => {
    maps = await startHttpStub();
    test = await createTestApp({ env: { ROLE: 'all', MAPS_RESOLVER_URL: maps.url } });
    Object.assign(test.app.get(ShortLinkClient).options, UNREACHED_LIMITS);
    operator = await test.operator();
  });
  beforeEach(async () => {
    maps.reset();
    merchant = await test.merchant();
    browser = await PanelBrowser.in(test, merchant);
  });
  afterAll(async () => {
    await test.close();
    await maps.close();
  });

  const post = (path: string, fields: Record<string, string>, by = browser) =>
    by.post(path, { clave: randomUUID(), ...fields });
  const add = async (fields: Record<string, string>, by = browser): Promise<void> => {
    expect((await post(PATH, fields, by)).status).toBe(303);
  };
  const listed = async (by = browser): Promise<Punto[]> =>
    [
      ...(await by.page(PATH)).matchAll(/data-recogida="([^"]+)".*?<b class="grow">([^<]+)<\/b>(.*?)<\/li>/g),
    ].map(([, id, nombre, rest]) => ({ id: id!, nombre: nombre!, isUsual: rest!.includes('El de siempre') }));
  const names = async () =>
    (await listed()).map(({ nombre, isUsual }) => `${nombre}${isUsual ? ', el de siempre' : ''}`);
  const idOf = async (nombre: string, by = browser) =>
    (await listed(by)).find((punto) => punto.nombre === nombre)!.id;
  const detail = async (guia: string) => (await merchant.get(`/api/v1/guias/${guia}`)).body.guia;
  const optionsIn = (page: string) => {
    const [, select = ''] = /<select name="recogida"[^>]*>(.*?)<\/select>/.exec(page) ?? [];
    return [...select.matchAll(/<option[^>]*>([^<]*)</g)].map(([, name]) => name);
  };

  it('are added, changed, made the usual one and removed; one is always the usual one', async () => {
    await add(BODEGA);
    await add(LOCAL);
    await add({ ...BODEGA, nombre: 'Casa de Ana', siempre: 'si' });
    expect(await names()).toEqual(['Casa de Ana, el de siempre', 'Bodega zona 1', 'Local Pradera']);
    const local = await idOf('Local Pradera');
    const changed = { nombre: 'Local Miraflores', direccion: 'Sótano 2', maps_url: '', lat: '', lng: '' };
    expect((await post(`${PATH}/${local}`, changed)).status).toBe(303);
    expect(await browser.page(PATH)).toContain('mlat=14.6407');
    expect((await post(`${PATH}/${local}/siempre`, {})).status).toBe(303);
    expect(await names()).toEqual(['Local Miraflores, el de siempre', 'Bodega zona 1', 'Casa de Ana']);
    expect((await post(`${PATH}/${local}/quitar`, {})).status).toBe(303);
    expect(await names()).toEqual(['Bodega zona 1, el de siempre', 'Casa de Ana']);
  });

  it('are made once by a form that is sent twice, and fifty at most', async () => {
    const form = { ...BODEGA, clave: randomUUID() };
    const answers = await Promise.all([1, 2].map(() => browser.post(PATH, form)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await names()).toHaveLength(1);
    for (let n = 2; n <= 50; n++) await add({ ...BODEGA, nombre: `Bodega ${n}` });
    const { status, text } = await post(PATH, BODEGA);
    expect([status, text]).toEqual([422, expect.stringContaining('Ya tiene 50 puntos de recogida')]);
    expect(await names()).toHaveLength(50);
  });

  it('are asked for once by an import, also where its form is sent several times', async () => {
    const file = { name: 'a.csv', bytes: 'Pedido,Tel,Ciudad,Total\nA-1,55550101,Mixco,10\n' };
    const path = (await browser.upload('/panel/importar', file)).headers.get('location')!;
    const send = () => browser.post(`${path}/recogida`, { 'recogida.maps_url': '14.6407, -90.5133' });
    const answers = await Promise.all([send(), send()]);
    expect([...answers, await send()].map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await names()).toEqual(['Mi tienda, el de siempre']);
  });

  it.each<[string, Record<string, string>, string]>([
    ['no name', { nombre: '' }, 'nombre'],
    ['no words for the courier', { direccion: ' ' }, 'direccion'],
    ['no place', { lat: '', lng: '' }, 'maps_url'],
    ['half a point', { lng: '' }, 'lng'],
    ['the point 0,0', { lat: '0', lng: '0' }, 'lat'],
    ['swapped coordinates', { lat: '-190', lng: '14.6' }, 'lat'],
    ['a link of another site', { maps_url: 'https://example.com/x', lat: '', lng: '' }, 'maps_url'],
    ['a link without a point', { maps_url: 'https://www.google.com/maps', lat: '', lng: '' }, 'maps_url'],
  ])('are refused beside the field: %s', async (_, typed, campo) => {
    const { status, text } = await post(PATH, { ...BODEGA, ...typed });
    expect([status, noteOf(text, campo)]).toEqual([422, expect.any(String)]);
    expect(noteOf(text, campo)).not.toMatch(/[Ee]nvíe|`/);
    expect(await names()).toEqual([]);
  });

  it('take a short link, and say it where its service does not answer', async () => {
    const place = (maps_url: string) => ({ ...BODEGA, lat: '', lng: '', maps_url });
    maps.answer({ status: 302, headers: { location: 'https://www.google.com/maps/search/14.7,+-90.6' } });
    await add(place('https://maps.app.goo.gl/punto1'));
    expect(await browser.page(PATH)).toContain('mlat=14.7');
    maps.answer({ status: 503 });
    const { status, text } = await post(PATH, place('https://maps.app.goo.gl/punto2'));
    expect([status, noteOf(text, 'maps_url')]).toEqual([422, expect.stringContaining('no contesta')]);
  });

  it('are saved far from the country, too, which the page says', async () => {
    const { headers } = await post(PATH, { ...BODEGA, lat: '40.4', lng: '-3.7' });
    expect(await browser.page(headers.get('location')!)).toContain('lejos de su país');
  });

  it('of another merchant are neither shown, changed nor chosen', async () => {
    const other = await PanelBrowser.in(test, await test.merchant());
    await add({ ...BODEGA, nombre: 'Ajena' }, other);
    await add(LOCAL);
    const foreign = await idOf('Ajena', other);
    for (const [path, fields] of [
      ['', BODEGA],
      ['/siempre', {}],
      ['/quitar', {}],
    ] as const)
      expect((await post(`${PATH}/${foreign}${path}`, fields)).status).toBe(404);
    const guia = numberIn(await post(NUEVA, GUIA));
    for (const [path, fields] of [
      [NUEVA, GUIA],
      [`/panel/guias/${guia}/cambiar`, { version: '1' }],
    ] as const) {
      const { status, text } = await post(path, { ...fields, recogida: foreign });
      expect([status, text]).toEqual([422, expect.stringContaining('Elija uno de la lista')]);
    }
    expect((await detail(guia)).recogida.nombre).toBe('Local Pradera');
    expect(await listed(other)).toHaveLength(1);
    expect(await browser.page(PATH)).not.toContain('Ajena');
  });

  it('are asked for once, before the first guide, with the guide that was typed', async () => {
    const asked = await browser.page(NUEVA);
    expect(asked).toContain('name="recogida.direccion"');
    expect(asked).toContain(`href="${PATH}"`);
    const refused = await post(NUEVA, { ...GUIA, nombre: 'Ana Coy' });
    expect([refused.status, noteOf(refused.text, 'recogida.maps_url')]).toEqual([422, expect.any(String)]);
    expect(refused.text).toContain('value="Ana Coy"');
    const first = Object.fromEntries(Object.entries(LOCAL).map(([name, text]) => [`recogida.${name}`, text]));
    const guia = numberIn(await post(NUEVA, { ...GUIA, ...first }));
    expect((await detail(guia)).recogida).toMatchObject({ nombre: 'Local Pradera', lat: 14.6407 });
    expect(await names()).toEqual(['Local Pradera, el de siempre']);
    const next = await browser.page(NUEVA);
    expect(optionsIn(next)).toEqual(['Local Pradera']);
    expect(next).not.toContain('name="recogida.direccion"');
  });

  it('are chosen by name for a new guide, which keeps name and place', async () => {
    await add(BODEGA);
    await add(LOCAL);
    expect(optionsIn(await browser.page(NUEVA))).toEqual(['Bodega zona 1', 'Local Pradera']);
    const usual = numberIn(await post(NUEVA, GUIA));
    const local = await idOf('Local Pradera');
    const chosen = numberIn(await post(NUEVA, { ...GUIA, recogida: local }));
    expect((await detail(usual)).recogida).toMatchObject({
      nombre: 'Bodega zona 1',
      lat: 14.6349,
      lng: -90.5069,
    });
    const kept = { nombre: 'Local Pradera', direccion: 'Sótano 1', lat: 14.6407, lng: -90.5133 };
    expect((await detail(chosen)).recogida).toMatchObject(kept);
    await post(`${PATH}/${local}/quitar`, {});
    expect((await detail(chosen)).recogida).toMatchObject(kept);
    expect(await browser.page(`/panel/guias/${chosen}`)).toMatch(/Se recoge en<\/dt><dd>Local Pradera/);
  });

  it('are changed on a guide while it is accepted, and not later', async () => {
    await add({ ...BODEGA, lat: '40.4', lng: '-3.7' });
    await add(LOCAL);
    const guia = numberIn(await post(NUEVA, GUIA));
    expect((await detail(guia)).advertencias).toEqual(['recogida_fuera_del_pais']);
    const path = `/panel/guias/${guia}`;
    expect(optionsIn(await browser.page(path)).slice(1)).toEqual(['Bodega zona 1', 'Local Pradera']);
    const [usual, local] = [await idOf('Bodega zona 1'), await idOf('Local Pradera')];
    const versionOf = async () => /name="version" value="(\d+)"/.exec(await browser.page(path))![1]!;
    const { status } = await post(`${path}/cambiar`, { version: await versionOf(), recogida: local });
    expect(status).toBe(303);
    expect(await detail(guia)).toMatchObject({
      recogida: { nombre: 'Local Pradera', lat: 14.6407, maps_url: null },
      advertencias: [],
    });
    expect(await browser.page(path)).toContain('punto de recogida');
    await operator.move(guia, { estado: 'en_camino_a_recoger' });
    expect(optionsIn(await browser.page(path))).toEqual([]);
    const late = await post(`${path}/cambiar`, { version: await versionOf(), recogida: usual });
    expect([late.status, late.text]).toEqual([
      422,
      expect.stringContaining('punto de recogida no se cambia'),
    ]);
    expect((await detail(guia)).recogida.nombre).toBe('Local Pradera');
  });

  describe('of a file', () => {
    const upload = async (csv: string) => {
      const { status, headers } = await browser.upload('/panel/importar', { name: 'a.csv', bytes: csv });
      expect(status).toBe(303);
      return headers.get('location')!;
    };
    const pickups = async () =>
      ((await merchant.get('/api/v1/guias')).body.guias as { guia: string; external_ref: string }[]).reduce(
        async (all, { guia, external_ref }) => ({
          ...(await all),
          [external_ref]: (await detail(guia)).recogida.nombre,
        }),
        Promise.resolve({} as Record<string, string>),
      );

    beforeEach(async () => {
      await add(BODEGA);
      await add(LOCAL);
    });

    it('are one for the file', async () => {
      const path = await upload('Pedido,Tel,Ciudad,Total\nA-1,55550101,Mixco,10\nA-2,55550102,Mixco,20\n');
      expect(optionsIn(await browser.page(path))).toEqual(['Bodega zona 1', 'Local Pradera']);
      const wrong = await post(`${path}/crear`, { recogida: randomUUID() });
      expect([wrong.status, await pickups()]).toEqual([422, {}]);
      const local = await idOf('Local Pradera');
      expect((await post(`${path}/recogida`, { recogida: local })).status).toBe(303);
      expect(optionsIn(await browser.page(path))).toEqual(['Local Pradera', 'Bodega zona 1']);
      expect((await post(`${path}/crear`, {})).status).toBe(303);
      expect(await pickups()).toEqual({ 'A-1': 'Local Pradera', 'A-2': 'Local Pradera' });
    });

    it('give way to the columns of the sheet, row by row', async () => {
      const path = await upload(
        [
          'external_ref,telefono,departamento,municipio,cod_amount,recogida.lat,recogida.lng,recogida.nombre',
          'B-1,55550101,Guatemala,Mixco,10,14.5,-90.4,Mercado',
          'B-2,55550102,Guatemala,Mixco,10,,,local pradera',
          'B-3,55550103,Guatemala,Mixco,10,,,',
        ].join('\n'),
      );
      const recogida = await idOf('Bodega zona 1');
      expect((await post(`${path}/crear`, { recogida })).status).toBe(303);
      expect(await pickups()).toEqual({ 'B-1': 'Mercado', 'B-2': 'Local Pradera', 'B-3': 'Bodega zona 1' });
    });
  });
});
