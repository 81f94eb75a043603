import { newRowId } from '../../src/database/row-id.js';
import { listAllGuias, type OperatorFilter } from '../../src/operations/guias/operator-guias.queries.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { seedGuias } from '../support/guias-seed.js';
import { rowsReadOf, type PlanNode } from '../support/rows-read.js';

const ROWS = 11;
const COUNT = 4_000;

/** A merchant and its test twin have as many guides each, so that a list that reads through the others' shows. */
describe("the lists of all merchants' guides", () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    const [live, twin] = [newRowId(), newRowId()];
    await database.query(
      `insert into comercios (id, nombre, pais, prueba_de) values ($1, 'Tienda', 'GT', null), ($2, 'Tienda', 'GT', $1)`,
      [live, twin],
    );
    // The tests are newer: a list of real guides that reads by id alone would meet all of them first.
    for (const [id, at] of [
      [live, Date.UTC(2026, 8, 1)],
      [twin, Date.UTC(2026, 8, 2)],
    ] as const)
      await seedGuias(database, id, { count: COUNT, at: `${at} + n` });
    await database.query('update guias set de_prueba = true where comercio_id = $1', [twin]);
    await database.query('vacuum analyze guias');
  });
  afterAll(() => database.drop());

  /** Rows of `guias` that a list reads in one go, shown or not. */
  async function rowsRead(filter: OperatorFilter): Promise<number> {
    const { text, values } = listAllGuias(filter, { rows: ROWS });
    const [explained] = await database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, timing off, format json) ${text}`,
      values,
    );
    return rowsReadOf(/^guias$/, explained!['QUERY PLAN'][0].Plan);
  }

  it.each<Omit<OperatorFilter, 'isTest'>>([{}, { municipio: 'mixco' }, { estados: ['aceptado'] }])(
    'read no test guides when they list real ones: %j',
    async (filter) => {
      expect(await rowsRead({ ...filter, isTest: false })).toBeLessThanOrEqual(3 * ROWS);
    },
  );

  it.each<Omit<OperatorFilter, 'isTest'>>([{}, { municipio: 'mixco' }, { estados: ['aceptado'] }])(
    'read no real guides when they list test ones: %j',
    async (filter) => {
      expect(await rowsRead({ ...filter, isTest: true })).toBeLessThanOrEqual(3 * ROWS);
    },
  );
});
