import pg from 'pg';
import { firstIdAt } from '../../src/database/row-id.js';
import { findGuia } from '../../src/guias/guias.queries.js';
import { listGuias } from '../../src/guias/list/guia-list.queries.js';
import { listAllGuias, type OperatorFilter } from '../../src/operations/guias/operator-guias.queries.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { PLAN_MODES, planOf, rowsRead } from '../support/plans.js';

/** Creation of the first guide; the others follow one millisecond apart. */
const START = 1_795_219_200_000;
const GUIAS = 30_000;
const MERCHANTS = 300;
const ROWS = 51;
const MERCHANT = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

const idAt = (n: number) => firstIdAt(START + n);

/** Every value that a filter below names is that of half of the guides, independently of the others. */
const half = (salt: number, one: string, other: string) =>
  `case when (hashint4(n + ${salt * GUIAS}) & 1) = 0 then ${one} else ${other} end`;

/** A merchant with a fifth of the guides, and many others; last changes in another order than creation. */
const SEED = `insert into guias (comercio_id, id, guia, external_ref, estado, telefono, departamento, municipio,
    direccion_confirmada, destino_lat, destino_lng, recogida_lat, recogida_lng, creada_en, actualizada_en, advertencias)
  select case when n % 5 = 0 then $1::uuid else md5(1 + n % ${MERCHANTS - 1} || 'm')::uuid end,
    (lpad(to_hex($2::bigint + n), 12, '0') || '7000a000' || lpad(to_hex(n), 12, '0'))::uuid,
    200000000000 + n, 'ref-' || n, ${half(0, `'en_ruta'`, `'entregado'`)},
    ${half(1, `'+50255551207'`, `'+50255551208'`)}, ${half(2, `'Petén'`, `'Izabal'`)}, ${half(3, `'Flores'`, `'Los Amates'`)},
    ${half(4, 'true', 'false')}, 14.6, -90.5, 14.6, -90.5,
    timestamptz 'epoch' + ($2::bigint + n) * interval '1 millisecond',
    timestamptz 'epoch' + ($2::bigint + n::bigint * 7919 % $3) * interval '1 millisecond',
    ${half(5, `'{cod_distinto}'::text[]`, `'{}'`)}
  from generate_series(1, $3::int) n`;

/** Of real guides. */
type Filter = Omit<OperatorFilter, 'isTest'>;

const FILTERS: Filter[] = [
  { estados: ['en_ruta'] },
  { advertencia: 'cod_distinto' },
  { telefono: '+50255551207' },
  { direccion_confirmada: true },
  { actualizada_desde: START },
  { from: idAt(100), before: idAt(GUIAS - 100) },
  { external_ref: 'ref-500' },
  { guia: '200000000500' },
];
const OF_OPERATORS: Filter[] = [{ comercio: MERCHANT }, { departamento: 'peten' }, { municipio: 'flores' }];

/** Each filter alone, and with each other. */
const pairsOf = (filters: Filter[]) =>
  filters.flatMap((one, i) => [one, ...filters.slice(i + 1).map((other) => ({ ...one, ...other }))]);

/** A phone has few guides, and few guides of some days have warnings: those are read and sorted. */
const sortsFew = ({ telefono, advertencia, actualizada_desde, from }: Filter) =>
  (telefono !== undefined && actualizada_desde !== undefined) ||
  (advertencia !== undefined && from !== undefined);

/** Without statistics the planner sorts the guides of a span of days over all merchants. */
const needsStatistics = (filter: Filter) => Object.keys(filter).join() === 'from,before';

/** How many rows a list of operators may read. */
function bound(filter: Filter): number {
  const isInPlace = filter.departamento !== undefined || filter.municipio !== undefined;
  // Of the guides of a place one in five is the merchant's.
  if (filter.comercio !== undefined) return (isInPlace ? 8 : 4) * ROWS;
  const { telefono, external_ref, guia, actualizada_desde } = filter;
  const others = [telefono, external_ref, guia, actualizada_desde];
  if (guia !== undefined || (isInPlace && others.every((value) => value === undefined))) return 4 * ROWS;
  // Each merchant is asked for its first guide, and a page of merchants for a page of guides.
  return 4 * (MERCHANTS + ROWS * Math.min(MERCHANTS, ROWS));
}

describe('the lists with one filter or two', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    // Nothing else makes statistics before the test does.
    await database.query('alter table guias set (autovacuum_enabled = false)');
    await database.query(
      `insert into comercios (id, nombre, pais)
       select case when n = 0 then $1::uuid else md5(n || 'm')::uuid end, 'Comercio ' || n, 'GT'
       from generate_series(0, ${MERCHANTS - 1}) n`,
      [MERCHANT],
    );
    await database.query(SEED, [MERCHANT, START, GUIAS]);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** Rows of guides that a page reads at most, over all plans and positions. */
  async function mostRead(query: (page: Parameters<typeof listGuias>[2]) => pg.QueryConfig): Promise<number> {
    let most = 0;
    for (const mode of PLAN_MODES) {
      for (const after of [undefined, { id: idAt(GUIAS / 2), ms: START + GUIAS / 2 }]) {
        const plan = await planOf(client, query({ after, rows: ROWS }), mode);
        const scans = plan.filter((node) => node['Relation Name'] === 'guias');
        expect(scans.length).toBeGreaterThan(0);
        most = Math.max(
          most,
          scans.reduce((sum, scan) => sum + rowsRead(scan) * scan['Actual Loops'], 0),
        );
      }
    }
    return most;
  }

  describe.each(['without statistics', 'with statistics'])('on a table %s', (state) => {
    beforeAll(async () => {
      // As autovacuum does, some time after the rows were written.
      if (state === 'with statistics') await database.query('vacuum (analyze) guias, comercios');
    });

    it.each(pairsOf(FILTERS).filter((filter) => !sortsFew(filter)))(
      "of a merchant: %j reads at most four pages' rows",
      async (filter) => {
        const read = await mostRead((page) => listGuias(MERCHANT, filter, page));
        expect(read).toBeLessThanOrEqual('external_ref' in filter || 'guia' in filter ? 1 : 4 * ROWS);
      },
    );

    const ofOperators = pairsOf([...OF_OPERATORS, ...FILTERS]).filter(
      (filter) => !sortsFew(filter) && (state === 'with statistics' || !needsStatistics(filter)),
    );
    it.each(ofOperators)(
      "of operators: %j reads at most four pages' rows, of one merchant or place or of a page of merchants",
      async (filter) => {
        const read = await mostRead((page) => listAllGuias({ ...filter, isTest: false }, page));
        expect(read).toBeLessThanOrEqual(bound(filter));
      },
    );

    it.each(['id', 'guia', 'external_ref'] as const)('one guide by %s reads one row', async (by) => {
      const value = { id: idAt(500), guia: '200000000500', external_ref: 'ref-500' }[by];
      for (const mode of PLAN_MODES) {
        const plan = await planOf(client, findGuia(MERCHANT, by, value), mode);
        const read = plan
          .filter((node) => node['Relation Name'] === 'guias')
          .reduce((sum, scan) => sum + rowsRead(scan), 0);
        expect(read).toBeLessThanOrEqual(1);
      }
    });
  });
});
