import pg, { type QueryConfig } from 'pg';

/** The values of a row in the order of its columns, as PostgreSQL writes them; null where there is none. */
export type RowValues = readonly (string | null)[];

/**
 * A query whose rows are made from their values at once. The driver's own way finds a parser for each column of each
 * answer, runs it over each value and announces each row: of a page of guides a tenth of all that the process does.
 * What the driver hands a query of a foreign class (`Submittable`) it hands this one.
 */
export class RowQuery<Values extends RowValues, Row> extends pg.Query {
  declare readonly name: string | undefined;
  /** Complete once the query has ended. */
  readonly made: Row[] = [];
  /** What `toRow` threw: thrown in the driver, it would end the process. */
  fault: Error | undefined;

  constructor(
    config: QueryConfig,
    private readonly toRow: (values: Values) => Row,
  ) {
    // A whole configuration would be copied, property by property.
    super(config.text, config.values);
    this.name = config.name;
  }

  /** Called by the driver before the rows: who reads them knows their columns. */
  handleRowDescription(): void {}

  /** Called by the driver for each row. */
  handleDataRow({ fields }: { fields: Values }): void {
    try {
      this.made.push(this.toRow(fields));
    } catch (error) {
      this.fault ??= error as Error;
    }
  }
}
