/** The values of each column of some rows, for `unnest`. */
export function columnsOf<Row, Column extends keyof Row>(
  rows: readonly Row[],
  ...columns: Column[]
): Row[Column][][] {
  return columns.map((column) => rows.map((row) => row[column]));
}
