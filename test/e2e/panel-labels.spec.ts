import { MAX_OF_FILTER } from '../../src/etiquetas/etiqueta.dto.js';
import { formOf } from '../support/console.js';
import { seedGuias } from '../support/guias-seed.js';
import { pagesOf } from '../support/labels.js';
import { PanelBrowser } from '../support/panel.js';
import { guiaBody, type Answer, type TestMerchant } from '../support/test-app.js';
import { useSharedApp } from '../support/use.js';

const CARTA = '612 792';

describe('labels of the panel', () => {
  const test = useSharedApp();
  let merchant: TestMerchant;
  let browser: PanelBrowser;

  beforeEach(async () => {
    merchant = await test.merchant();
    browser = await PanelBrowser.in(test, merchant);
  });

  const create = async (fields: Record<string, unknown> = {}) => {
    const { status, body } = await merchant.post('/api/v1/guias', { ...guiaBody(), ...fields });
    expect(status).toBe(201);
    return body.guia as string;
  };
  const seed = (count: number, estado = 'aceptado') =>
    seedGuias(test.database, merchant.id, {
      count,
      at: `${Date.now() - 90 * 86_400_000} + n`,
      estado: `'${estado}'`,
    });
  /** The pages of the PDF that a page's form makes. */
  const print = async (page: string, fields: Record<string, string> = {}) =>
    pagesIn(await browser.post('/panel/etiquetas', { ...formOf(page, '/etiquetas').hidden, ...fields }));
  const pagesIn = ({ status, headers, text }: Answer) => {
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
    return pagesOf(text);
  };
  const printed = async () => {
    const query = 'select count(*)::int as guias from impresiones where comercio_id = $1';
    const [row] = await test.database.query<{ guias: number }>(query, [merchant.id]);
    return row!.guias;
  };
  const leftIn = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]);

  it('have the size that was chosen last, also after signing in again', async () => {
    const guia = await create();
    expect(await print(await browser.page('/panel/guias'), { todas: 'si' })).toEqual([
      '283.464567 425.19685',
    ]);
    const page = await browser.page('/panel/guias');
    expect(await print(page, { guias: guia, tamano: 'carta' })).toEqual([CARTA]);
    browser = await PanelBrowser.in(test, merchant);
    expect(await browser.page('/panel/guias')).toMatch(/<option value="carta" selected/);
    expect(pagesIn(await browser.get(`/panel/guias/${guia}/etiqueta`))).toEqual([CARTA]);
    expect(await print(await browser.page('/panel'), { todas: 'hoy' })).toEqual([CARTA]);
    const { status, text } = await browser.post('/panel/etiquetas', { guias: guia, tamano: 'a3' });
    expect([status, text.includes('Elija un tamaño de la lista.')]).toEqual([422, true]);
    expect(pagesIn(await browser.get(`/panel/guias/${guia}/etiqueta`))).toEqual([CARTA]);
  });

  it('are made of all guides that match the filters of the page, and of no others', async () => {
    for (let n = 0; n < 5; n++) await create({ municipio: 'Mixco', departamento: 'Guatemala' });
    await create({ municipio: 'Cobán', departamento: 'Alta Verapaz' });
    await seed(45, 'entregado');
    await test.database.query(
      "update guias set advertencias = '{cod_distinto}', actualizada_en = now(), estado_en = now() where comercio_id = $1 and estado = 'entregado'",
      [merchant.id],
    );
    for (const [query, guias] of [
      ['municipio=mixco&estado=aceptado&confirmada=no', 5],
      ['q=coban', 1],
      ['estado=entregado', 45],
      ['impresa=si', 6],
      ['', 51],
      ['hoy=si&estado=entregado', 45],
      ['hoy=si&advertencia=cod_distinto', 45],
    ] as const) {
      const page = await browser.page(`/panel/guias?${query}`);
      expect(page).toContain(`Todas las que coinciden (${guias})`);
      expect({ query, pages: await print(page, { todas: 'si' }) }).toMatchObject({
        query,
        pages: { length: guias },
      });
    }
    const none = { todas: 'si', municipio: 'Flores' };
    expect((await browser.post('/panel/etiquetas', none)).status).toBe(422);
    expect((await browser.post('/panel/etiquetas', { todas: 'si', desde: 'ayer' })).status).toBe(422);
  });

  it('of today are those of all guides that wait to be picked up, whenever they were made', async () => {
    await seed(2);
    await seed(1, 'recogido');
    await create();
    for (const path of ['/panel', '/panel/guias?estado=recogido']) {
      const page = await browser.page(path);
      expect(page).toContain('Etiquetas de hoy (3)');
      expect(page).not.toContain('salen las primeras');
    }
    expect(await print(await browser.page('/panel'), { todas: 'hoy' })).toHaveLength(3);
    const filtered = await browser.page('/panel/guias?estado=recogido');
    expect(await print(filtered, { todas: 'hoy' })).toHaveLength(3);
    expect(await printed()).toBe(3);
  });

  it('are the first 500 of more, which the page says before; they count as requests as in the API', async () => {
    await seed(501);
    for (const path of ['/panel', '/panel/guias']) {
      const page = await browser.page(path);
      expect(page).toContain('Son 501 por recoger: en un PDF salen las primeras 500.');
      expect(page).toContain('Etiquetas de hoy (500)');
    }
    const before = await browser.get('/panel/guias');
    expect(before.text).toContain('Son 501 las que coinciden: en un PDF salen las primeras 500.');
    const fields = { ...formOf(before.text, '/etiquetas').hidden, todas: 'si', tamano: 'carta' };
    const answer = await browser.post('/panel/etiquetas', fields);
    expect(pagesIn(answer)).toHaveLength(MAX_OF_FILTER / 4);
    expect(answer.headers.get('content-disposition')).toContain('etiquetas-500-guias.pdf');
    expect(leftIn(before) - leftIn(answer)).toBe(50);
    expect(await printed()).toBe(MAX_OF_FILTER);
  });
});
