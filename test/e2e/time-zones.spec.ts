import { seedAt } from '../support/guias-seed.js';
import { Money } from '../support/money.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const OF_OPERATORS = '/api/v1/operaciones/guias';

/** The day of 2026-11-21 in Guatemala, from its first to its last millisecond, and a guide on each side of it. */
const TIMES = [
  '2026-11-21T05:59:59.999Z',
  '2026-11-21T06:00:00.000Z',
  '2026-11-22T05:59:59.999Z',
  '2026-11-22T06:00:00.000Z',
];
const DAY = { desde: '2026-11-21', hasta: '2026-11-21' };

describe('zona', () => {
  const test = useSharedApp();
  const merchant = opened(() => test.merchant());
  const operator = opened(() => test.operator());

  beforeAll(async () => {
    for (const time of TIMES) await seedAt(test.database, merchant.id, time);
  });

  const query = (filter: object) => `?${new URLSearchParams({ ...filter }).toString()}`;
  const timesOf = (answer: any): string[] => answer.body.guias.map(({ creada_en }: any) => creada_en);

  it.each([
    [{ ...DAY, zona: 'comercio' }, 1, 3],
    [{ ...DAY, zona: 'America/Guatemala' }, 1, 3],
    [{ ...DAY, zona: 'america/guatemala' }, 1, 3],
    [{ desde: '2026-11-21T00:00', hasta: '2026-11-21T23:59:59.999', zona: 'comercio' }, 1, 3],
    [{ desde: '2026-11-21T06:00:00Z', hasta: '2026-11-21T23:59:59.999', zona: 'comercio' }, 1, 3],
    [{ ...DAY, zona: 'UTC' }, 0, 2],
    [DAY, 0, 2],
    [{ zona: 'comercio' }, 0, 4],
  ])("%j shows a merchant's guides %i to %i", async (filter, from, until) => {
    expect(timesOf(await merchant.get(GUIAS + query(filter))).reverse()).toEqual(TIMES.slice(from, until));
  });

  it('counts for changes, too', async () => {
    const since = async (actualizada_desde: string) =>
      timesOf(await merchant.get(GUIAS + query({ actualizada_desde, zona: 'Etc/GMT+6' })));
    expect((await since('2026-11-22')).length).toBe((await since('2026-11-22T00:00:00-06:00')).length);
  });

  it("shows an operator a merchant's day where it says which merchant", async () => {
    const list = (filter: object) => operator.get(OF_OPERATORS + query({ ...DAY, ...filter }));
    const own = { comercio: merchant.id };
    expect(timesOf(await list({ ...own, zona: 'comercio' })).reverse()).toEqual(TIMES.slice(1, 3));
    expect(timesOf(await list({ ...own, zona: 'America/Guatemala' })).reverse()).toEqual(TIMES.slice(1, 3));
    expectFaults(await list({ zona: 'comercio' }), ['zona: incompleto']);
    const unknown = { comercio: '01a1fe09-0000-7000-8000-000000000000', zona: 'comercio' };
    expect(timesOf(await list(unknown))).toEqual([]);
  });

  it.each(['', 'Guatemala', '-06:00', 'Mars/Olympus', 'COMERCIO'])(
    '%j is refused by its name',
    async (zona) => {
      for (const path of [GUIAS, '/api/v1/cobros', '/api/v1/cobros/resumen'])
        expectFaults(await merchant.get(path + query({ zona })), ['zona: formato']);
      expectFaults(await operator.get(OF_OPERATORS + query({ zona })), ['zona: formato']);
    },
  );

  it('decides whether desde is after hasta', async () => {
    const filter = { desde: '2026-11-21', hasta: '2026-11-21T03:00Z', zona: 'comercio' };
    expectFaults(await merchant.get(GUIAS + query(filter)), ['desde: fuera_de_rango']);
    expect((await merchant.get(GUIAS + query({ ...filter, zona: 'UTC' }))).status).toBe(200);
  });

  it('binds the cursor', async () => {
    const { siguiente_cursor: cursor } = (await merchant.get(`${GUIAS}?limit=1&zona=comercio`)).body;
    expect((await merchant.get(GUIAS + query({ zona: 'America/Guatemala', cursor }))).status).toBe(200);
    for (const other of [{}, { zona: 'UTC' }])
      expectProblem(await merchant.get(GUIAS + query({ ...other, cursor })), 'cursor_invalido');
  });

  it('is the zone of what was collected in a day, of its sum, and of a settlement', async () => {
    const money = await Money.start(test);
    const evening = await money.deliver(10, { at: '2026-01-03T05:30:00Z' });
    await money.deliver(20, { at: '2026-01-03T06:30:00Z' });
    const day = query({ desde: '2026-01-02', hasta: '2026-01-02', zona: 'comercio' });
    expect((await money.list(day)).body.cobros).toMatchObject([{ id: evening.id }]);
    const { cobrado } = (await money.merchant.get(`/api/v1/cobros/resumen${day}`)).body;
    expect(cobrado).toMatchObject({ guias: 1, cod_cobrado: 10 });
    expectFaults(await money.settle({ hasta: '2026-01-02', zona: 'Mars' }), ['zona: formato']);
    const made = await money.settle({ hasta: '2026-01-02', zona: 'comercio', ref: 'uno' });
    expect(made.body.liquidacion).toMatchObject({ cobrado: 10, hasta: '2026-01-03T05:59:59.999Z' });
    const repeated = await money.settle({ hasta: '2026-01-02', zona: 'America/Guatemala', ref: 'uno' });
    expect([repeated.status, repeated.body.liquidacion.id]).toEqual([200, made.body.liquidacion.id]);
  });
});
