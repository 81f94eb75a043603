/** The values of each column of some rows, for `unnest`. */
export function columnsOf<Row>(rows: readonly Row[], ...columns: (keyof Row)[]): unknown[][] {
  return columns.map((column) => rows.map((row) => row[column]));
}
