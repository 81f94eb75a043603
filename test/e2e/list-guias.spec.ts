import { GUIA_ESTADOS } from '../../src/guias/guia-estado.js';
import { expectFaults } from '../support/problem.js';
import { seedAt, seedGuias } from '../support/guias-seed.js';
import { guiaBody, sharedApp, type TestApp, type TestMerchant, withTestApp } from '../support/test-app.js';

const GUIAS = '/api/v1/guias';
const ESTADOS =
  'aceptado en_camino_a_recoger recogido en_ruta intento_fallido entregado en_devolucion devuelto cancelado extraviado';

describe('GET /api/v1/guias', () => {
  let test: TestApp;
  /** Has 250 guides, four in each millisecond, with each state in turn. */
  let merchant: TestMerchant;

  beforeAll(async () => {
    test = await sharedApp();
    merchant = await test.merchant();
    const estado = `(array['${ESTADOS.replaceAll(' ', "','")}'])[n % 10 + 1]`;
    await seedGuias(test.database, merchant.id, { count: 250, at: '1790000000000 + n / 4', estado });
  });
  afterAll(() => test.close());

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
      telefono: '+50255551234',
      direccion: '',
      departamento: 'Guatemala',
      municipio: 'Mixco',
      referencia: null,
      contenido: '',
      estado: 'aceptado',
      creada_en: expect.any(String),
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
          notas: null,
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

  it('shows one empty page to a merchant without guides', async () => {
    expect((await list('', await test.merchant())).body).toEqual({
      ok: true,
      guias: [],
      siguiente_cursor: null,
    });
  });

  it('shows only the guides of the merchant of the key', async () => {
    const [one, two] = [await test.merchant(), await test.merchant()];
    const mine = (await one.post(GUIAS, guiaBody())).body.id;
    const theirs = (await two.post(GUIAS, guiaBody())).body.id;
    expect((await list('', one)).body.guias.map(({ id }: any) => id)).toEqual([mine]);
    expect((await list('', two)).body.guias.map(({ id }: any) => id)).toEqual([theirs]);
  });

  it('sorts by creada_en descending, then id descending', async () => {
    const guias = (await walk('limit=100')).flat();
    const keys = guias.map(({ creada_en, id }) => `${creada_en} ${id}`);
    expect(keys).toEqual([...keys].sort().reverse());
    expect(new Set(keys).size).toBe(250);
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

  describe('limit', () => {
    it('defaults to 50', async () => {
      expect((await list()).body.guias).toHaveLength(50);
    });

    it.each([1, 2, 99, 100])('of %d gives a page of that size', async (limit) => {
      expect((await list(`?limit=${limit}`)).body.guias).toHaveLength(limit);
    });

    it.each(['0', '101', '-1', '-0', '99999999999999999999'])('of %s is out of range', async (limit) => {
      expectFaults(await list(`?limit=${limit}`), ['limit: fuera_de_rango']);
    });

    it.each([
      '1.5',
      '1e2',
      'abc',
      '',
      '%20',
      '%205',
      '5%20',
      '%2B5',
      '0x10',
      '010',
      '5;',
      '٥',
      'null',
      '%00',
    ])("of '%s' is not an integer", async (limit) => {
      expectFaults(await list(`?limit=${limit}`), ['limit: formato']);
    });
  });

  describe('pages', () => {
    it.each([
      [1, 'estado=extraviado'],
      [7, ''],
      [25, ''],
      [50, ''],
      [100, ''],
      [5, 'estado=recogido'],
      [25, 'estado=aceptado'],
    ])('of %d guides (%s) are full, and the last has no cursor even if it is full', async (limit, filter) => {
      const total = filter === '' ? 250 : 25;
      const sizes = (await walk(`limit=${limit}&${filter}`)).map((page) => page.length);
      const full = Math.ceil(total / limit) - 1;
      expect(sizes).toEqual([...Array<number>(full).fill(limit), total - full * limit]);
    });
  });

  describe('estado', () => {
    it.each(ESTADOS.split(' '))('of %s shows only the guides in that state', async (estado) => {
      const guias = (await walk(`estado=${estado}&limit=10`)).flat();
      expect(guias.map((guia) => guia.estado)).toEqual(Array(25).fill(estado));
    });

    it('accepts exactly the ten states', () => {
      expect([...GUIA_ESTADOS].sort()).toEqual(ESTADOS.split(' ').sort());
    });

    it.each(['perdido', 'ACEPTADO', '', 'aceptado,perdido', 'toString', '__proto__', '%00'])(
      "of '%s' is refused with the list of states",
      async (estado) => {
        const answer = await list(`?estado=${estado}`);
        expectFaults(answer, ['estado: formato']);
        for (const known of ESTADOS.split(' ')) expect(answer.body.errores[0].mensaje).toContain(known);
      },
    );
  });

  it.each(['estado=aceptado', 'desde=2026-01-01', 'hasta=2026-01-01', 'limit=5', 'cursor=x'])(
    'refuses a parameter given twice, even with the same value: %s',
    async (one) => {
      expectFaults(await list(`?${one}&${one}`), [`${one.split('=')[0]!}: tipo`]);
    },
  );

  it.each([
    'estados=aceptado',
    'Estado=aceptado',
    'limit[]=5',
    'page=2',
    '__proto__=1',
    'constructor=1',
    'x',
  ])('refuses an unknown parameter: %s', async (query) => {
    expectFaults(await list(`?${query}`), [`${query.split('=')[0]!}: campo_desconocido`]);
  });

  it('reports all faults at once', async () => {
    const answer = await list('?estado=x&desde=ayer&hasta=1&limit=0&pagina=2');
    expectFaults(answer, [
      'estado: formato',
      'desde: formato',
      'hasta: formato',
      'limit: fuera_de_rango',
      'pagina: campo_desconocido',
    ]);
  });

  it('answers HEAD like GET, without a body', async () => {
    const headers = { authorization: `Bearer ${merchant.key}` };
    const answer = await test.request(GUIAS, { method: 'HEAD', headers });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: '' });
  });
});
