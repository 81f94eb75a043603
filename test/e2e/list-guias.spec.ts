import { ofEachText } from '../../src/guias/guia/guia-fields.js';
import { expectFaults } from '../support/problem.js';
import { seedAt, seedGuias } from '../support/guias-seed.js';
import { guiaBody, withTestApp } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const ESTADOS =
  'aceptado en_camino_a_recoger recogido en_ruta intento_fallido entregado en_devolucion devuelto cancelado extraviado';

describe('GET /api/v1/guias', () => {
  const test = useSharedApp();
  /** Has 250 guides, four in each millisecond, with each state in turn. */
  const merchant = opened(() => test.merchant());

  beforeAll(async () => {
    const estado = `(array['${ESTADOS.replaceAll(' ', "','")}'])[n % 10 + 1]`;
    await seedGuias(test.database, merchant.id, { count: 250, at: '1790000000000 + n / 4', estado });
  });

  const list = (query = '', by = merchant) => by.get(`${GUIAS}${query}`);
  /** All pages of a list. */
  const walk = async (query: string, by = merchant) => {
    const pages: any[][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer = await list(`?${query}${cursor && `&cursor=${cursor}`}`, by);
      expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
      expect(pages.push(answer.body.guias)).toBeLessThan(1_000);
      cursor = answer.body.siguiente_cursor;
    }
    return pages;
  };

  it('shows each guide with exactly the documented fields', async () => {
    const by = await test.merchant();
    const since = Date.now();
    const over = { external_ref: 'a', nombre: 'Ana', notas: 'nota', cod_amount: 12.5, lat: 1, lng: 2 };
    const first = (await by.post(GUIAS, guiaBody(over))).body;
    const second = (await by.post(GUIAS, guiaBody())).body;
    const answer = await list('', by);
    const { creada_en } = answer.body.guias[1];
    expect(creada_en).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(creada_en)).toBeGreaterThanOrEqual(since);
    expect(Date.parse(creada_en)).toBeLessThanOrEqual(Date.now());
    expect(answer.status).toBe(200);
    const guia = {
      ...{ telefono: '+50255551234', direccion: '', departamento: 'Guatemala', municipio: 'Mixco' },
      ...ofEachText(({ empty }) => empty),
      ...{ estado: 'aceptado', creada_en: expect.any(String) },
      actualizada_en: expect.any(String),
    };
    expect(answer.body).toEqual({
      ok: true,
      siguiente_cursor: null,
      guias: [
        {
          ...guia,
          guia: second.guia,
          id: second.id,
          external_ref: null,
          destinatario: '',
          cod_amount: 0,
          direccion_confirmada: false,
        },
        {
          ...guia,
          guia: first.guia,
          id: first.id,
          external_ref: 'a',
          destinatario: 'Ana',
          notas: 'nota',
          cod_amount: 12.5,
          direccion_confirmada: true,
          creada_en,
          actualizada_en: creada_en,
        },
      ],
    });
  });

  it('writes times with three decimals, in UTC whatever the time zone of the database', async () => {
    const setZone = (to: string) =>
      test.database.query(
        `do $$ begin execute format('alter database %I ${to}', current_database()); end $$`,
      );
    await setZone(`set timezone to ''America/Guatemala''`);
    const times = [
      '2026-11-21T23:59:59.999Z',
      '2026-11-21T15:04:05.120Z',
      '2026-11-21T15:04:05.000Z',
      '2026-01-02T03:04:05.007Z',
    ];
    await withTestApp({ database: test.database }, async (other) => {
      const by = await other.merchant();
      for (const time of times) await seedAt(test.database, by.id, time);
      const { guias } = (await list('', by)).body;
      expect(guias.map(({ creada_en }: any) => creada_en)).toEqual(times);
      expect(guias.map(({ actualizada_en }: any) => actualizada_en)).toEqual(times);
    });
    await setZone('reset timezone');
  });

  describe('pages', () => {
    it.each([
      [25, ''],
      [100, ''],
      [25, 'estado=aceptado'],
    ])('of %d guides (%s) are full, and the last has no cursor even if it is full', async (limit, filter) => {
      const total = filter === '' ? 250 : 25;
      const sizes = (await walk(`limit=${limit}&${filter}`)).map((page) => page.length);
      const full = Math.ceil(total / limit) - 1;
      expect(sizes).toEqual([...Array<number>(full).fill(limit), total - full * limit]);
    });
  });

  it('reports all faults at once', async () => {
    const answer = await list('?estado=x&desde=ayer&hasta=1&limit=0&pagina=2&guia=1&guia=1');
    expectFaults(answer, [
      'estado: formato',
      'desde: formato',
      'hasta: formato',
      'limit: fuera_de_rango',
      'guia: tipo',
      'pagina: campo_desconocido',
    ]);
  });

  it('refuses a + that was not encoded, and says how to encode it', async () => {
    const answer = await list('?desde=2026-11-21T15:04:05+06:00');
    expectFaults(answer, ['desde: formato']);
    expect(answer.body.errores[0].mensaje).toContain('%2B');
  });
});
