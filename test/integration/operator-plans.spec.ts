import type { QueryConfig } from 'pg';
import { newRowId } from '../../src/platform/database/row-id.js';
import { listAllGuias, type OperatorFilter } from '../../src/operations/guias/operator-guias.queries.js';
import { MOVABLE_ESTADOS, type DispatchFilter } from '../../src/web/console/dispatch/dispatch-filter.js';
import { boardOf } from '../../src/web/console/dispatch/dispatch.queries.js';
import type { TestDatabase } from '../support/database.js';
import { seedGuias } from '../support/guias-seed.js';
import { rowsReadOf, type PlanNode } from '../support/rows-read.js';
import { useDatabase } from '../support/use.js';

const ROWS = 11;
const COUNT = 4_000;

/** Rows of `guias` that a statement reads. */
async function readBy(database: TestDatabase, { text, values }: QueryConfig): Promise<number> {
  const [explained] = await database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, timing off, format json) ${text}`,
    values,
  );
  return rowsReadOf(/^guias$/, explained!['QUERY PLAN'][0].Plan);
}

/** A merchant and its test twin have as many guides each, so that a list that reads through the others' shows. */
describe("the lists of all merchants' guides", () => {
  const database = useDatabase();

  beforeAll(async () => {
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
    // The last to change, so that a list in the order of changes meets all others first.
    await database.query(
      `update guias set estado = 'extraviado', advertencias = '{entrega_lejos}', actualizada_en = now()
       where id in (select id from guias where not de_prueba limit 5)`,
    );
    await database.query('vacuum analyze guias');
  });

  /** Rows of `guias` that a list reads in one go, shown or not. */
  const rowsRead = (filter: OperatorFilter) => readBy(database, listAllGuias(filter, { rows: ROWS }));

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

  it.each<Omit<OperatorFilter, 'isTest' | 'actualizada_desde'>>([
    { estados: ['extraviado'] },
    { estados: ['extraviado', 'cancelado'] },
    { advertencia: 'entrega_lejos' },
    { advertencia: 'cualquiera', estados: ['extraviado'] },
  ])('read by change no guides that do not match, where few do: %j', async (filter) => {
    expect(await rowsRead({ ...filter, isTest: false, actualizada_desde: 0 })).toBeLessThanOrEqual(3 * ROWS);
  });

  it('read by change a page of each merchant, where many guides match', async () => {
    const filter: OperatorFilter = { isTest: false, actualizada_desde: 0, estados: ['aceptado'] };
    expect(await rowsRead(filter)).toBeLessThanOrEqual(2_501 + 4 * ROWS);
  });
});

/** Many merchants, most of whose guides have ended. */
describe("the dispatcher's guides", () => {
  const MERCHANTS = 40;
  const EACH = 150;
  const database = useDatabase();
  let open: number;

  beforeAll(async () => {
    for (let n = 0; n < MERCHANTS; n++) {
      const id = newRowId();
      await database.query(`insert into comercios (id, nombre, pais) values ($1, 'Tienda', 'GT')`, [id]);
      const at = `${Date.UTC(2026, 8, 1) + n * EACH} + n`;
      const estado = `case when n % 10 = 0 then 'recogido' else 'entregado' end`;
      await seedGuias(database, id, { count: EACH, at, estado });
    }
    await database.query('vacuum analyze guias, comercios');
    const [row] = await database.query<{ count: number }>(
      'select count(*)::int from guias where estado = any ($1)',
      [MOVABLE_ESTADOS],
    );
    open = row!.count;
  });

  it.each<Omit<DispatchFilter, 'estados'>>([
    {},
    { piloto: 'ninguno' },
    { municipio: 'mixco' },
    { departamento: 'guatemala', piloto: 'ninguno' },
    { piloto: newRowId() },
    { area: [14, -91, 15, -90] },
    { comercio: 'tienda', confirmada: false },
    { desde: Date.UTC(2026, 8, 1) },
    { q: '1234' },
    { q: 'tienda jacaranda' },
  ])('are read without those that have ended: %j', async (filter) => {
    const read = await readBy(database, boardOf({ ...filter, estados: MOVABLE_ESTADOS }, 1, 100));
    expect(open).toBeGreaterThan(0);
    // Each twice in an index, then its row, for the list; and the same for the towns.
    expect(read).toBeLessThanOrEqual(6 * open);
  });
});
