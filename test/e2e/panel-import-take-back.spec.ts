import { PanelBrowser } from '../support/panel.js';
import type { TestMerchant } from '../support/test-app.js';
import { useSharedApp } from '../support/use.js';

const HEADER = 'Pedido,Cliente,Tel,Ciudad,Total,Ubicación';

describe('before an import, and after it', () => {
  const test = useSharedApp();
  let merchant: TestMerchant;
  let browser: PanelBrowser;

  beforeEach(async () => {
    merchant = await test.merchant();
    browser = await PanelBrowser.in(test, merchant);
  });

  const uploaded = async (lines: string[], name = 'a.csv') => {
    const { headers } = await browser.upload('/panel/importar', { name, bytes: lines.join('\n') });
    const path = headers.get('location')!;
    await browser.post(`${path}/recogida`, { 'recogida.maps_url': '14.6407,-90.5133' });
    return path;
  };
  const imported = async (lines: string[]) => {
    const path = await uploaded(lines);
    expect((await browser.post(`${path}/crear`, {})).status).toBe(303);
    return path;
  };
  const guias = async () =>
    (await merchant.get('/api/v1/guias')).body.guias as { guia: string; id: string; estado: string }[];
  const estados = async () => (await guias()).map(({ estado }) => estado);
  const row = (n: number, more = '') => `T-${n},Ana,5551 ${2000 + n},Mixco,${n}00,${more}`;
  const textOf = (page: string) => page.replace(/<[^>]*>/g, ' ').replace(/[\s\u00a0]+/g, ' ');

  it('says how many guides it makes, how much they collect, and to how many people it writes', async () => {
    await test.database.query("insert into bajas values ('+50255512004', now()) on conflict do nothing");
    const path = await uploaded([
      HEADER,
      ...[
        row(1),
        row(2, '"14.64,-90.51"'),
        row(3),
        row(4),
        row(3).replace('T-3', 'T-5'),
        'T-6,Eva,x,Mixco,9,',
      ],
    ]);
    const page = await browser.page(path);
    expect(textOf(page)).toContain(
      'Se crean 5 guías, por cobrar Q 1,300.00 en total. Se escribe a 2 personas',
    );
    expect(page).toMatch(/<button[^>]*>Importar 5 y escribir a 2<\/button>/);
  });

  it('says which rows are no orders', async () => {
    const path = await uploaded([
      'Pedidos de hoy,,,,,',
      '',
      HEADER,
      row(1),
      'MARTES,,,,,',
      row(2),
      'TOTAL,,,,300,',
    ]);
    const text = textOf(await browser.page(path));
    expect(text).toContain('No son pedidos, y no se leen: la fila 5 («MARTES»), la fila 7 («TOTAL 300»).');
    expect(text).toContain('Los encabezados están en la fila 3; lo de arriba no se lee.');
  });

  it('has a template whose headings are all known', async () => {
    const { text } = await browser.get('/panel/importar/plantilla.csv');
    const header = text.replace('\ufeff', '').trim();
    const values = header.split(',').map((_, i) => ['T-1', 'Ana', '5551 2001', '', 'Mixco'][i] ?? '');
    const page = await browser.page(await uploaded([header, values.join(',')]));
    expect(page).not.toMatch(/<option value selected/);
  });

  it('is taken back within an hour: all guides are cancelled, once, and their history says so', async () => {
    const path = await imported([HEADER, row(1), row(2), row(3)]);
    const page = await browser.page(path);
    expect(textOf(page)).toContain('Deshacer la importación: cancelar las 3 guías');
    for (let time = 0; time < 2; time++) {
      const { status, headers } = await browser.post(`${path}/deshacer`, {});
      expect([status, headers.get('location')]).toEqual([303, path]);
      expect(await estados()).toEqual(['cancelado', 'cancelado', 'cancelado']);
    }
    const after = await browser.page(path);
    expect(textOf(after)).toContain('Se deshizo la importación: sus 3 guías están canceladas.');
    expect(after).not.toContain('/deshacer"');
    const [first] = await guias();
    const { body } = await merchant.get(`/api/v1/guias/${first!.id}/eventos`);
    const tipos = (body.eventos as { tipo: string }[]).map(({ tipo }) => tipo);
    expect(tipos.filter((tipo) => /cancel/.test(tipo))).toHaveLength(1);
  });

  it('is taken back not at all where a guide is beyond its first state; the page says which one', async () => {
    const path = await imported([HEADER, row(1), row(2), row(3)]);
    const [moved] = await guias();
    const operator = await test.operator();
    expect((await operator.move(moved!.id, { estado: 'en_camino_a_recoger' })).status).toBe(201);
    const { status, text } = await browser.post(`${path}/deshacer`, {});
    expect(status).toBe(422);
    expect(textOf(text)).toContain('No se deshizo nada: una guía ya va más adelante');
    expect(textOf(text)).toContain(moved!.guia.replace(/\d{4}(?=.)/g, '$& '));
    expect((await estados()).sort()).toEqual(['aceptado', 'aceptado', 'en_camino_a_recoger']);
  });

  it('is not taken back after an hour, and a guide that is cancelled already stands in no way', async () => {
    const path = await imported([HEADER, row(1), row(2)]);
    const [one] = await guias();
    await merchant.post(`/api/v1/guias/${one!.id}/cancelar`, {});
    await test.database.query(
      `update panel_archivos set resultados = (select jsonb_object_agg(k, v || '{"en": 1}') from jsonb_each(resultados) e (k, v)) where comercio_id = $1`,
      [merchant.id],
    );
    expect(await browser.page(path)).not.toContain('/deshacer"');
    expect((await browser.post(`${path}/deshacer`, {})).status).toBe(422);
    expect((await estados()).sort()).toEqual(['aceptado', 'cancelado']);
  });

  it('is taken back whole where its button was pressed several times at once', async () => {
    const rows = Array.from({ length: 120 }, (_, n) => row(n));
    const path = await uploaded([HEADER, ...rows]);
    const answers = await Promise.all([1, 2, 3].map(() => browser.post(`${path}/crear`, {})));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(textOf(await browser.page(path))).toContain('cancelar las 120 guías');
    expect((await browser.post(`${path}/deshacer`, {})).status).toBe(303);
    const left = await merchant.get('/api/v1/guias?estado=aceptado');
    expect(left.body.guias).toEqual([]);
  });

  it("is nobody else's to take back", async () => {
    const path = await imported([HEADER, row(1)]);
    const other = await PanelBrowser.in(test, await test.merchant());
    expect((await other.post(`${path}/deshacer`, {})).status).toBe(404);
    expect(await estados()).toEqual(['aceptado']);
  });
});
