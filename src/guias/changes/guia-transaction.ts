import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Run } from '../../platform/database/database.js';
import { sql, statement as toStatement, type Sql } from '../../platform/database/sql.js';
import { textTypes } from '../../platform/database/text-types.js';
import type { CurrentGuia } from './guia-changes.queries.js';
import { writeGuia, type GuiaWrite, type WrittenRow } from './guia-write.js';

/** Writes to one guide, whose row is locked. */
export class GuiaTransaction {
  /** Whether a recorded event is to be relayed. */
  hasRelayed = false;

  constructor(
    private guia: CurrentGuia,
    private readonly run: Run,
  ) {}

  /** Runs a statement after the lock. The guide's columns are changed by `write` alone. */
  query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> {
    return this.run<R>(config);
  }

  async look<R extends QueryResultRow>(columns: Sql): Promise<R> {
    const { comercio_id, id } = this.guia;
    const text = sql`select ${columns} from guias g where g.comercio_id = ${comercio_id} and g.id = ${id}`;
    const { rows } = await this.run<R>(toStatement(text, { types: textTypes }));
    return rows[0]!;
  }

  async write(write: GuiaWrite): Promise<WrittenRow> {
    const { statement, hasRelayed, guia } = writeGuia(this.guia, write);
    const { rows } = await this.run<WrittenRow>(statement);
    this.hasRelayed ||= hasRelayed;
    this.guia = guia;
    return rows[0]!;
  }
}
