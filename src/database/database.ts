import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Pool, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { RowQuery, type RowQueryConfig, type RowValues } from './row-query.js';
import { isRetryable } from './sqlstate.js';

const ATTEMPTS = 3;

/**
 * Hot queries: straight to the connection pool that TypeORM made, as named prepared statements, without
 * its query builder and entities. Everything else uses repositories.
 */
@Injectable()
export class Database {
  constructor(private readonly dataSource: DataSource) {}

  /** The pool, for its gauges. */
  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  /** Runs one statement; a deadlock or serialisation failure (which changed nothing) is tried again. */
  async query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> {
    return retrying(() => this.pool.query<R>(config));
  }

  /** The same for many rows, each made of its values as they come: without the driver's passes over them. */
  async rows<Values extends RowValues, Row>(
    config: RowQueryConfig,
    toRow: (values: Values) => Row,
  ): Promise<Row[]> {
    return retrying(async () => {
      const query = new RowQuery(config, toRow);
      // What the pool returns is a promise here, too, which its types do not know.
      await (this.pool.query(query) as unknown as Promise<unknown>);
      if (query.fault) throw query.fault;
      return query.made;
    });
  }
}

async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}
