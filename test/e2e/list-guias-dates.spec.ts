import { expectFaults } from '../support/problem.js';
import { seedAt } from '../support/guias-seed.js';
import { sharedApp, type TestApp, type TestMerchant } from '../support/test-app.js';

const GUIAS = '/api/v1/guias';
const TIMES = [
  '2026-11-20T23:59:59.999Z',
  '2026-11-21T00:00:00.000Z',
  '2026-11-21T15:04:05.122Z',
  '2026-11-21T15:04:05.123Z',
  '2026-11-21T15:04:05.124Z',
  '2026-11-21T23:59:59.999Z',
  '2026-11-22T00:00:00.000Z',
];

describe('GET /api/v1/guias?desde&hasta', () => {
  let test: TestApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    test = await sharedApp();
    merchant = await test.merchant();
    for (const time of TIMES) await seedAt(test.database, merchant.id, time);
  });
  afterAll(() => test.close());

  const list = (filter: Record<string, string>) =>
    merchant.get(`${GUIAS}?${new URLSearchParams(filter).toString()}`);
  /** Times of the guides found, oldest first. */
  const found = async (filter: Record<string, string>) => {
    const { status, body } = await list(filter);
    expect({ filter, status }).toEqual({ filter, status: 200 });
    return body.guias.map(({ creada_en }: any) => creada_en).reverse();
  };

  const cases: [filter: Record<string, string>, from: number, until: number][] = [
    // Both ends are included, to the millisecond.
    [{ desde: '2026-11-21T15:04:05.123Z' }, 3, 7],
    [{ desde: '2026-11-21T15:04:05.124Z' }, 4, 7],
    [{ hasta: '2026-11-21T15:04:05.123Z' }, 0, 4],
    [{ hasta: '2026-11-21T15:04:05.122Z' }, 0, 3],
    [{ desde: '2026-11-21T15:04:05.123Z', hasta: '2026-11-21T15:04:05.123Z' }, 3, 4],
    // Without a fraction both mean the first millisecond of the second.
    [{ desde: '2026-11-21T15:04:05Z' }, 2, 7],
    [{ hasta: '2026-11-21T15:04:05Z' }, 0, 2],
    // A date means its first millisecond in desde, and its last in hasta.
    [{ desde: '2026-11-21' }, 1, 7],
    [{ hasta: '2026-11-21' }, 0, 6],
    [{ desde: '2026-11-21', hasta: '2026-11-21' }, 1, 6],
    [{ desde: '2026-11-22', hasta: '2026-11-22' }, 6, 7],
    // Without an offset the time is UTC.
    [{ desde: '2026-11-21T15:04:05.123' }, 3, 7],
    [{ desde: '2026-11-21T09:04:05.123-06:00' }, 3, 7],
    [{ hasta: '2026-11-22T00:34:05.123+09:30' }, 0, 4],
    [{ desde: '2026-11-21T18:00:00-06:00' }, 6, 7],
    // Years far away.
    [{ desde: '0001-01-01', hasta: '9999-12-31' }, 0, 7],
    [{ desde: '0000-01-01T00:00:00+23:59' }, 0, 7],
    [{ hasta: '1969-12-31' }, 0, 0],
    [{ desde: '9999-12-31T23:59:59.999Z' }, 7, 7],
    // A leap day that exists.
    [{ desde: '2024-02-29', hasta: '2024-02-29' }, 0, 0],
  ];
  it.each(cases)('%j shows the guides %i to %i', async (filter, from, until) => {
    expect(await found(filter)).toEqual(TIMES.slice(from, until));
  });

  it('is combined with estado', async () => {
    await seedAt(test.database, merchant.id, '2026-10-10T10:00:00.000Z', 'devuelto');
    await seedAt(test.database, merchant.id, '2026-10-12T10:00:00.000Z', 'devuelto');
    await seedAt(test.database, merchant.id, '2026-10-10T11:00:00.000Z', 'cancelado');
    const filter = { desde: '2026-10-10', hasta: '2026-10-11', estado: 'devuelto' };
    expect(await found(filter)).toEqual(['2026-10-10T10:00:00.000Z']);
  });

  it('applies on every page of a walk', async () => {
    const range = { desde: '2026-11-21', hasta: '2026-11-21', limit: '2' };
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await list({ ...range, ...(cursor && { cursor }) });
      expect(seen.push(...body.guias.map(({ creada_en }: any) => creada_en))).toBeLessThan(100);
      cursor = body.siguiente_cursor;
    }
    expect(seen).toEqual(TIMES.slice(1, 6).reverse());
  });

  const bad = [
    '',
    ' ',
    '2026-02-30',
    '2026-02-29',
    '2026-04-31T10:00:00Z',
    '2026-13-01',
    '2026-00-10',
    '2026-11-00',
    '2026-11-21T24:00:00Z',
    '2026-11-21T23:60:00Z',
    '2026-11-21T23:59:60Z',
    '2026-11-21T15Z',
    '2026-11-21T15:04:05,123Z',
    '2026-11-21 15:04:05Z',
    '2026-11-21T15:04:05 06:00',
    '2026-11-21T15:04:05+24:00',
    '2026-11-21T15:04:05z',
    '2026-11-21t15:04:05Z',
    '2026-11-21Z',
    '2026-1-1',
    '20261121',
    '21/11/2026',
    '1',
    '1790000000000',
    'ayer',
    'now()',
    '+012026-11-21',
    '-0001-01-01',
    '2026-11-21\n',
    ' 2026-11-21',
    '2026-11-21\0',
    '２０２６-11-21',
  ];
  it.each(bad)('refuses %j in desde and hasta', async (text) => {
    expectFaults(await list({ desde: text, hasta: text }), ['desde: formato', 'hasta: formato']);
  });

  it.each([
    ['2026-11-22', '2026-11-21'],
    ['2026-11-21T15:04:05.124Z', '2026-11-21T15:04:05.123Z'],
    ['2026-11-21T15:04:05', '2026-11-21T15:04:05+00:01'],
    ['2026-11-22', '2026-11-21T23:59:59.999Z'],
  ])('refuses desde %s, which is after hasta %s', async (desde, hasta) => {
    expectFaults(await list({ desde, hasta }), ['desde: fuera_de_rango']);
  });

  it('refuses a + that was not encoded, and says how to encode it', async () => {
    const answer = await merchant.get(`${GUIAS}?desde=2026-11-21T15:04:05+06:00`);
    expectFaults(answer, ['desde: formato']);
    expect(answer.body.errores[0].mensaje).toContain('%2B');
  });
});
