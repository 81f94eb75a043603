import { join, raw, sql, type Sql } from './sql.js';

/** SQL of `unnest` with the columns of some rows, named as in the rows. @param types of each column in PostgreSQL. */
export function unnest<Row extends object>(
  rows: readonly Row[],
  alias: string,
  types: Partial<Record<keyof Row & string, string>>,
): Sql {
  const columns = Object.entries(types) as [keyof Row & string, string][];
  const arrays = columns.map(([column, type]) => sql`${rows.map((row) => row[column])}::${raw(`${type}[]`)}`);
  return sql`unnest(${join(arrays, ', ')}) as ${raw(`${alias} (${columns.map(([column]) => column).join(', ')})`)}`;
}
