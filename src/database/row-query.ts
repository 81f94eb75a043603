import pg, { type QueryConfig } from 'pg';

/** The values of a row in the order of its columns, as PostgreSQL writes them; null where there is none. */
export type RowValues = readonly (string | null)[];

/** A statement; the values of its rows stay as they are, so that there are no `types`. */
export type RowQueryConfig = Pick<QueryConfig, 'name' | 'text' | 'values'>;

/**
 * A query whose rows are made from their values at once. The driver's own way finds a parser for each column of each
 * answer, runs it over each value and announces each row: of a page of guides a tenth of all that the process does.
 * Two callbacks of the driver are overridden that it does not document: `row-query.spec.ts` guards them at an upgrade.
 */
export class RowQuery<Values extends RowValues, Row> extends pg.Query {
  declare readonly name: string | undefined;
  /** Complete once the query has ended. */
  readonly made: Row[] = [];
  /** What `toRow` threw: thrown in the driver, it would end the process. */
  fault: Error | undefined;

  constructor(
    config: RowQueryConfig,
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
      this.fault ??= error instanceof Error ? error : new Error('a row could not be made', { cause: error });
    }
  }
}
