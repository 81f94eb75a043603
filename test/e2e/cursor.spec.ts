import { expectFaults, expectProblem } from '../support/problem.js';
import { seedGuias } from '../support/guias-seed.js';
import { client, createTestApp, type TestMerchant } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const DAY = '2026-09-21';

describe('the cursor of GET /api/v1/guias', () => {
  const test = useSharedApp();
  const start = Date.parse(`${DAY}T12:00:00Z`);

  const second = opened(() => createTestApp({ database: test.database }));
  const merchant = opened(() => test.merchant());
  const other = opened(() => test.merchant());

  beforeAll(async () => {
    const estado = `(array['aceptado','recogido'])[n % 2 + 1]`;
    for (const { id } of [merchant, other])
      await seedGuias(test.database, id, { count: 40, at: `${start} + n / 3`, estado });
  });

  const list = (query: Record<string, string>, by: Pick<TestMerchant, 'get'> = merchant) =>
    by.get(`${GUIAS}?${new URLSearchParams(query).toString()}`);
  const ids = (answer: { body: any }): string[] => answer.body.guias.map(({ id }: any) => id);
  const cursorOf = async (query: Record<string, string>) =>
    (await list({ limit: '10', ...query })).body.siguiente_cursor as string;

  it('continues after the last guide shown', async () => {
    const all = ids(await list({ limit: '40' }));
    const cursor = await cursorOf({});
    expect(ids(await list({ limit: '10', cursor }))).toEqual(all.slice(10, 20));
  });

  it('may be used with another limit', async () => {
    const all = ids(await list({ limit: '40' }));
    const cursor = await cursorOf({});
    for (const limit of ['1', '7', '100']) {
      expect(ids(await list({ limit, cursor }))).toEqual(all.slice(10, 10 + Number(limit)));
    }
    expect(ids(await list({ cursor }))).toEqual(all.slice(10));
  });

  it('is valid in every process and with every key of the merchant', async () => {
    const all = ids(await list({ limit: '40' }));
    const cursor = await cursorOf({});
    const elsewhere = client(second.request, (await second.keyOf(merchant.id)).key);
    expect(ids(await list({ cursor }, elsewhere))).toEqual(all.slice(10));
  });

  it.each([
    ['empty', () => ''],
    ['cut short', (cursor: string) => cursor.slice(0, -1)],
    ['a guide id', () => '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57'],
    ['NUL', () => '\0'],
    ['very long', () => 'A'.repeat(8_000)],
  ])('is rejected with cursor_invalido if it is %s', async (_, edit) => {
    expectProblem(await list({ cursor: edit(await cursorOf({})) }), 'cursor_invalido');
  });

  it('of another merchant gets cursor_invalido and no guides', async () => {
    const answer = await list({ cursor: await cursorOf({}) }, other);
    expectProblem(answer, 'cursor_invalido');
    expect(answer.body.guias).toBeUndefined();
  });

  const FILTERS: Record<string, string>[] = [
    {},
    { estado: 'aceptado' },
    { estado: 'recogido' },
    { desde: DAY },
    { hasta: DAY },
    { desde: DAY, hasta: DAY },
    { estado: 'aceptado', desde: DAY },
    ...[{ actualizada_desde: DAY }, { actualizada_desde: '2026-09-20' }],
    ...[
      { actualizada_desde: DAY, estado: 'aceptado' },
      { actualizada_desde: DAY, desde: DAY },
    ],
    { actualizada_desde: DAY, telefono: '5555 1234' },
    { actualizada_desde: DAY, direccion_confirmada: 'false' },
  ];
  it.each(FILTERS)('of %j is valid only with the same filters', async (filter) => {
    const cursor = await cursorOf(filter);
    expect(cursor).toEqual(expect.any(String));
    for (const used of FILTERS) {
      const answer = await list({ ...used, cursor });
      const expected = used === filter ? undefined : 'cursor_invalido';
      expect({ used, codigo: answer.body.codigo }).toEqual({ used, codigo: expected });
    }
  });

  it('is bound to the meaning of the filters, not to their spelling', async () => {
    const cursor = await cursorOf({ desde: DAY });
    for (const desde of [`${DAY}T00:00:00Z`, `${DAY}T00:00:00.000`, `${DAY}T06:00:00+06:00`]) {
      expect((await list({ cursor, desde })).status).toBe(200);
    }
    expectProblem(await list({ cursor, desde: `${DAY}T00:00:00.001Z` }), 'cursor_invalido');
  });

  it('that is invalid does not hide faults of other parameters', async () => {
    expectFaults(await list({ cursor: 'x', limit: '0' }), ['limit: fuera_de_rango']);
  });

  it('continues without the guides created meanwhile', async () => {
    const before = ids(await list({ limit: '40' }));
    const cursor = await cursorOf({});
    await seedGuias(test.database, merchant.id, { count: 5, at: `${start} + 1000 + n` });
    expect(ids(await list({ cursor, limit: '100' }))).toEqual(before.slice(10));
  });
});
