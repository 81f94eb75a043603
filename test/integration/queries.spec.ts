import type { QueryConfig } from 'pg';
import { Database } from '../../src/database/database.js';
import { Relay } from '../../src/events/relay.service.js';
import { listGuias } from '../../src/guias/guias.queries.js';
import { Queues } from '../../src/queues/queues.service.js';
import { createTestApp, guiaBody, type TestApp, type TestMerchant } from '../support/test-app.js';

/** Speed that can be counted instead of timed. */
describe('the hot queries', () => {
  let test: TestApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    test = await createTestApp();
    merchant = await test.merchant();
    await merchant.post('/api/v1/guias', guiaBody({ external_ref: 'warm' }));
    await test.app.get(Relay).beforeApplicationShutdown();
    await test.app.get(Queues).stop();
  });
  afterAll(() => test.close());

  /** The statements that one request sends, while nothing else runs. */
  async function statementsOf(request: () => Promise<unknown>): Promise<QueryConfig[]> {
    const { pool } = test.app.get(Database);
    const spy = jest.spyOn(pool, 'query');
    try {
      await request();
      return spy.mock.calls.map(([config]) => config as unknown as QueryConfig);
    } finally {
      spy.mockRestore();
    }
  }

  it.each([
    ['a create is one prepared statement', () => merchant.post('/api/v1/guias', guiaBody()), ['guia-insert']],
    [
      'a repeat is two',
      () => merchant.post('/api/v1/guias', guiaBody({ external_ref: 'warm' })),
      ['guia-insert', 'guia-by-ref'],
    ],
    ['a list is one', () => merchant.get('/api/v1/guias'), ['guia-list']],
    [
      'a filtered list is one',
      () => merchant.get('/api/v1/guias?estado=aceptado&desde=2026-01-01'),
      ['guia-list-estado'],
    ],
    ['a detail is one', () => merchant.get('/api/v1/guias/100000000008'), ['guia-by-guia']],
    ['a refused body is none', () => merchant.post('/api/v1/guias', {}), []],
    ['a guide number with a typo is none', () => merchant.get('/api/v1/guias/100000000001'), []],
  ])('%s, authentication included', async (_, request, names) => {
    expect((await statementsOf(request)).map((statement) => statement.name)).toEqual(names);
  });

  describe('on 20,000 guides, of which the merchant holds a fifth', () => {
    beforeAll(async () => {
      await test.database.query(
        `insert into guias (comercio_id, id, guia, estado, telefono, departamento, municipio, direccion_confirmada,
           recogida_lat, recogida_lng, creada_en, actualizada_en)
         select case when n % 5 = 0 then $1::uuid else md5(n % 100 || 'm')::uuid end,
           (lpad(to_hex(1795219200000 + n), 12, '0') || '7000a000' || lpad(to_hex(n), 12, '0'))::uuid, 200000000000 + n,
           case when n % 100 = 0 then 'recogido' else 'entregado' end,
           '+50255551234', 'Guatemala', 'Mixco', false, 14.6, -90.5, now(), now()
         from generate_series(1, 20000) n`,
        [merchant.id],
      );
      await test.database.query('analyze guias');
    });

    const cursor = '01a1fb67-3f10-7000-a000-000000000000';
    it.each([
      ['the first page', {}, 'guias_pkey'],
      ['a page behind a cursor', { before: cursor }, 'guias_pkey'],
      ['a range of dates', { from: '01a1fb67-2b88-0000-0000-000000000000', before: cursor }, 'guias_pkey'],
      ['a state', { estado: 'recogido' as const }, 'guias_estado_idx'],
      ['a state behind a cursor', { estado: 'recogido' as const, before: cursor }, 'guias_estado_idx'],
    ])('%s reads its own index backwards, without a sort, no row too many', async (_, page, index) => {
      const { text, values } = listGuias(merchant.id, { ...page, rows: 51 });
      const { rows } = await test.app.get(Database).query<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
        text: `explain (analyze, format json) ${text}`,
        values,
      });
      const [limit, scan] = flatten(rows[0]!['QUERY PLAN'][0].Plan);
      expect([limit?.['Node Type'], scan?.['Node Type'], scan?.['Index Name']]).toEqual([
        'Limit',
        'Index Scan',
        index,
      ]);
      expect(scan?.['Scan Direction']).toBe('Backward');
      expect(scan?.['Rows Removed by Filter'] ?? 0).toBe(0);
      expect(scan?.['Actual Rows']).toBeLessThanOrEqual(51);
    });
  });
});

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Scan Direction'?: string;
  'Rows Removed by Filter'?: number;
  'Actual Rows': number;
  Plans?: Plan[];
}

function flatten(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flatten)];
}
