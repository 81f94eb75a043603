import { inFours } from '../../src/guias/guia/guia-digits.js';
import { formOf } from '../support/console.js';
import { seedGuias } from '../support/guias-seed.js';
import { noteOf, numberIn, PanelBrowser, textsOf } from '../support/panel.js';
import type { TestMerchant } from '../support/test-app.js';
import { useSharedApp } from '../support/use.js';

const PATH = '/panel/guias/nueva';
const POINT = { 'recogida.lat': '14.6349', 'recogida.lng': '-90.5069' };
const FIELDS = {
  nombre: 'Karla Ixcoy',
  telefono: '5555 0101',
  departamento: 'Guatemala',
  municipio: 'Mixco',
  cod_amount: 'Q 349.50',
  ...POINT,
};

/** What the page's script says after the way back. */
const BACK = { regreso: 'si' };

const valuesOf = (page: string) => textsOf(page, PATH);

describe('the form of a new guide', () => {
  const test = useSharedApp();
  let merchant: TestMerchant;
  let browser: PanelBrowser;

  beforeEach(async () => {
    merchant = await test.merchant();
    browser = await PanelBrowser.in(test, merchant);
  });

  const send = (fields: Record<string, string>) => browser.submit(PATH, '/nueva', fields);
  /** The form filled from a text. */
  const filled = async (texto: string) => {
    const { headers } = await browser.submit(PATH, '/texto', { texto });
    return browser.page(headers.get('location')!);
  };
  const detail = async (guia: string) => (await merchant.get(`/api/v1/guias/${guia}`)).body.guia;
  const count = async () => (await merchant.get('/api/v1/guias')).body.guias.length as number;

  it('of a tab of another shop or of test mode makes nothing until it is looked at, and keeps what was typed', async () => {
    const open = { ...valuesOf(await browser.page(PATH)), ...FIELDS };
    const other = await test.merchant();
    await browser.signIn(other.key);
    const refused = await browser.post(PATH, open);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('se abrió con otra clave')]);
    expect(valuesOf(refused.text)).toMatchObject({ nombre: FIELDS.nombre, 'recogida.lat': '14.6349' });
    expect([await count(), (await other.get('/api/v1/guias')).body.guias]).toEqual([0, []]);
    numberIn(await browser.post(PATH, valuesOf(refused.text)));
    expect((await other.get('/api/v1/guias')).body.guias).toHaveLength(1);
  });

  it('refuses a link without a point, and shows it again', async () => {
    const link = 'https://www.google.com/maps/place/Parque+Central';
    const pickup = { 'recogida.lat': '', 'recogida.lng': '', 'recogida.maps_url': link };
    const { status, text } = await send({ ...FIELDS, ...pickup });
    expect(status).toBe(422);
    expect(noteOf(text, 'recogida.maps_url')).toContain('Comparta');
    expect(valuesOf(text)['recogida.maps_url']).toBe(link);
  });

  it('keeps a pasted text with its session for an hour, until a guide is made, and never in the address', async () => {
    const texto = 'soy Ana Coy, 5555 0404';
    const { headers } = await browser.submit(PATH, '/texto', { texto });
    const path = headers.get('location')!;
    expect(path).toBe(`${PATH}?de=texto`);
    expect(valuesOf(await browser.page(path)).nombre).toBe('Ana Coy');
    const refused = await send({ ...FIELDS, telefono: '1' });
    expect([refused.status, refused.text.includes(texto)]).toEqual([422, true]);
    const other = await PanelBrowser.in(test, merchant);
    expect(await other.page(path)).not.toContain('Ana Coy');
    await test.database.query(`update panel_sesiones set texto_en = texto_en - interval '61 minutes'`);
    const late = await browser.page(path);
    expect([late.includes('Ana Coy'), late.includes('Péguelo otra vez')]).toEqual([false, true]);
    await browser.submit(PATH, '/texto', { texto });
    numberIn(await send(FIELDS));
    expect(await browser.page(path)).not.toContain('Ana Coy');
  });

  it('leads from what is wrong, at the top, which has the focus, to each field', async () => {
    const { text } = await send({ ...FIELDS, telefono: '5555 010', cod_amount: 'mucho' });
    const [, alert = ''] = / tabindex="-1" autofocus role="alert">([^]*?)<\/ul>/.exec(text) ?? [];
    expect(text.match(/ autofocus/g)).toHaveLength(1);
    for (const [name, label] of [
      ['telefono', 'Teléfono'],
      ['cod_amount', 'Por cobrar'],
    ] as const) {
      expect(alert).toContain(`<a href="#campo-${name}">${label}</a>`);
      expect(text).toMatch(new RegExp(`<input[^>]* name="${name}"[^>]* id="campo-${name}"`));
    }
  });

  it('marks what a text leaves out, and proposes no place where the text names one that is of several', async () => {
    await send(FIELDS);
    const page = await filled('27/11/26 14:03 - Marvin Tejax: 2 pares, San Pedro, total 250');
    const note = (name: string) => noteOf(page, name);
    expect(valuesOf(page)).toMatchObject({
      nombre: 'Marvin Tejax',
      telefono: '',
      municipio: '',
      departamento: '',
    });
    expect(note('telefono')).toContain('El texto no dice el teléfono');
    expect(note('municipio')).toContain('«San Pedro» puede ser San Pedro');
    expect(note('cod_amount')).toBeUndefined();
  });

  it('proposes no place of the last guide in a country without a table of places, and marks the empty field', async () => {
    const own = await test.merchant({ country: 'CO' });
    const colombian = await PanelBrowser.in(test, own);
    const made = {
      ...FIELDS,
      telefono: '300 123 4567',
      departamento: 'Valle',
      municipio: 'Cali',
      cod_amount: '90000',
    };
    numberIn(await colombian.submit(PATH, '/nueva', made));
    const texto = 'Lina Gómez 300 123 4567, Medellín, total $85.000';
    const { headers } = await colombian.submit(PATH, '/texto', { texto });
    const page = await colombian.page(headers.get('location')!);
    expect(valuesOf(page)).toMatchObject({ municipio: '', departamento: '', cod_amount: '85000' });
    expect(noteOf(page, 'municipio')).toContain('El texto no dice el municipio');
  });

  it('marks department and municipality where they are those of the last guide', async () => {
    numberIn(await send(FIELDS));
    const text = await filled('soy Ana Coy, 5555 0404');
    for (const name of ['departamento', 'municipio'])
      expect(noteOf(text, name)).toBe('Es el de la última guía. ¿Está bien?');
    expect(await filled('soy Ana Coy, Antigua Guatemala')).not.toContain('última guía');
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['a digit that is missing', { telefono: '5555 010' }, 'telefono', 'Tiene 7 dígitos; en Guatemala son 8.'],
    ['a digit too many', { telefono: '5555-01011' }, 'telefono', 'Tiene 9 dígitos; en Guatemala son 8.'],
    [
      'and with the country',
      { telefono: '+502 5555 010' },
      'telefono',
      'Tiene 7 dígitos; en Guatemala son 8.',
    ],
    ['no number', { telefono: 'luego' }, 'telefono', 'No es un número de teléfono posible'],
    ['half a point', { lng: '-90.5' }, 'lat', 'Escriba la latitud y la longitud juntas, o ninguna.'],
    ['a point in the sea', { lat: '0', lng: '0' }, 'lat', 'Escriba las coordenadas reales.'],
    [
      'a link without a place',
      { maps_url: 'https://www.google.com/maps' },
      'maps_url',
      'o escriba la latitud y la longitud.',
    ],
  ])('says what a person can do: %s', async (_, typed, name, words) => {
    const { status, text } = await send({ ...FIELDS, ...typed });
    expect([status, noteOf(text, name)]).toEqual([422, expect.stringContaining(words)]);
    expect(noteOf(text, name)).not.toMatch(/[Ee]nvíe|lat\b|lng/);
  });

  describe('with a reference that a guide has', () => {
    const ORDER = { ...FIELDS, external_ref: 'Pedido-7' };

    it('and other data is shown again, and names that guide and the data', async () => {
      const guia = numberIn(await send(ORDER));
      const other = { ...ORDER, nombre: 'Beto Choc', telefono: '5555 0303', direccion: 'Calle <b>1</b>' };
      const { status, text } = await send(other);
      expect(status).toBe(422);
      const fault = noteOf(text, 'external_ref');
      expect(fault).toContain(inFours(guia).replaceAll('\u00a0', ' '));
      expect(fault).toContain('teléfono, destinatario, dirección');
      expect(valuesOf(text)).toMatchObject({ nombre: 'Beto Choc', external_ref: 'Pedido-7' });
      expect(text).toContain('Calle &lt;b>1');
      expect(await detail(guia)).toMatchObject({ destinatario: 'Karla Ixcoy' });
      const { hidden } = formOf(text, '/nueva');
      const made = numberIn(await browser.post(PATH, { ...other, ...hidden, external_ref: 'Pedido-8' }));
      expect(await detail(made)).toMatchObject({ destinatario: 'Beto Choc' });
    });

    it('and the same data leads to it, and does not say that it was created', async () => {
      const guia = numberIn(await send(ORDER));
      const again = await send(ORDER);
      expect(numberIn(again)).toBe(guia);
      const page = await browser.page(again.headers.get('location')!);
      expect(page).not.toContain('está creada');
      expect(page).toContain('No se creó otra.');
      expect(await count()).toBe(1);
    });

    it('because it was sent twice leads to the guide as created', async () => {
      const { hidden } = formOf(await browser.page(PATH), '/nueva');
      const answers = [];
      for (let n = 0; n < 2; n++) answers.push(await browser.post(PATH, { ...ORDER, ...hidden }));
      expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
      expect(answers[1]!.headers.get('location')).toContain('hecho=creada');
    });
  });

  describe('that is equal to one of a guide without a reference', () => {
    it('is asked about once, and makes another guide where that is wanted', async () => {
      const first = numberIn(await send(FIELDS));
      const asked = await send({ ...FIELDS, ...BACK, direccion: '' });
      expect([asked.status, await count()]).toEqual([422, 1]);
      expect(noteOf(asked.text, 'otra_igual')).toContain(inFours(first).replaceAll('\u00a0', ' '));
      const values = valuesOf(asked.text);
      expect(values).toMatchObject({ nombre: 'Karla Ixcoy', 'recogida.lat': '14.6349' });
      expect((await browser.post(PATH, values)).status).toBe(422);
      const second = numberIn(await browser.post(PATH, { ...values, otra_igual: 'si' }));
      expect([second === first, await count()]).toEqual([false, 2]);
    });

    it('is answered as made where what was typed cannot be remembered', async () => {
      await test.database.query('alter table panel_ajustes add constraint nada check (false) not valid');
      try {
        const made = numberIn(await send(FIELDS));
        expect(await detail(made)).toMatchObject({ guia: made });
      } finally {
        await test.database.query('alter table panel_ajustes drop constraint nada');
      }
      expect(await count()).toBe(1);
    });

    it('keeps the answer where something else is refused', async () => {
      const { status, text } = await send({ ...FIELDS, telefono: '1', otra_igual: 'si' });
      expect(status).toBe(422);
      expect(text).toMatch(/name="otra_igual" value="si" checked/);
      expect(await browser.page(PATH)).not.toContain('otra_igual');
    });

    it.each<[string, Record<string, string>, string]>([
      ['something differs', { cod_amount: '350' }, 'aceptado'],
      ['it has a reference', { external_ref: 'A-1' }, 'aceptado'],
      ['the guide is cancelled', {}, 'cancelado'],
    ])('is not asked about where %s', async (_, other, estado) => {
      const { id } = await detail(numberIn(await send(FIELDS)));
      await test.database.query('update guias set estado = $2 where id = $1', [id, estado]);
      numberIn(await send({ ...FIELDS, ...BACK, ...other }));
      expect(await count()).toBe(2);
    });

    it('is not asked about on a form that was not reached by the way back', async () => {
      for (let n = 0; n < 2; n++) numberIn(await send(FIELDS));
      expect(await count()).toBe(2);
    });

    it.each([
      [9, 422],
      [11, 303],
    ])('of %d minutes ago: %d', async (minutes, expected) => {
      await seedGuias(test.database, merchant.id, { count: 1, at: String(Date.now() - minutes * 60_000) });
      const pickup = { 'recogida.lat': '14.6', 'recogida.lng': '-90.5' };
      const { status } = await send({
        ...pickup,
        ...BACK,
        telefono: '5555 1234',
        departamento: 'Guatemala',
        municipio: 'Mixco',
      });
      expect(status).toBe(expected);
    });
  });
});
