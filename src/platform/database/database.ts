import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type {
  Client,
  Pool,
  PoolClient,
  QueryArrayConfig,
  QueryConfig,
  QueryResult,
  QueryResultRow,
} from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Lane } from './lane.js';
import { POOL_SIZE } from './pool-size.js';
import { ServerClock } from './server-clock.js';
import { isFaultOfOneRow, isLockFault, isPastDeadline, isRetryable, sqlStateOf } from './sqlstate.js';
import { unparsed } from './text-types.js';
import { TIME_LIMITS, type TimeLimits } from './time-limits.js';
import { Turns } from './turns.js';

const ATTEMPTS = 3;

/** Runs a statement of a transaction. */
export type Run = <R extends QueryResultRow>(config: QueryConfig) => Promise<QueryResult<R>>;

/** A row's values in column order, as the text that PostgreSQL sends. */
export type RowValues = readonly (string | null)[];

/** A statement whose values are not parsed. */
export type RawQuery = Pick<QueryConfig, 'name' | 'text' | 'values'>;

/** A statement whose rows are arrays of text. No spread copy: see `docs/performance.md`, "Memory". */
export function asWritten({ name, text, values }: RawQuery): QueryArrayConfig {
  return { name, text, values, rowMode: 'array', types: unparsed };
}

/** The rows of such a statement. */
export function toRows<Values extends RowValues, Row>(
  rows: (string | null)[][],
  toRow: (values: Values) => Row,
): Row[] {
  // TypeScript cannot check a statement's columns: keep `Values` and the statement's text in sync.
  return rows.map((values) => toRow(values as unknown as Values));
}

/**
 * SQL on TypeORM's connection pool: everything about guides, events, messages and deliveries. Named statements are
 * prepared. Merchants, operators, keys and webhooks use repositories.
 */
@Injectable()
export class Database {
  readonly clock = new ServerClock(() => this.readServerMs());

  /** Reads of staff's pages. */
  readonly staff: Lane;
  /** Reads of drivers' pages. */
  readonly drivers: Lane;

  private server: string | undefined;
  private readonly turns: Turns;

  constructor(
    private readonly dataSource: DataSource,
    limits: Pick<TimeLimits, 'turn'> = TIME_LIMITS,
  ) {
    const run: Database['query'] = (config) => this.query(config);
    this.staff = new Lane(run, limits.turn);
    this.drivers = new Lane(run, limits.turn);
    this.turns = new Turns({ slots: POOL_SIZE / 2, waitMs: limits.turn });
    // Not connected while the OpenAPI document is written.
    if (!dataSource.isInitialized) return;
    this.pool.on('connect', (client) => {
      // A pool makes each of its clients with `Client`, whose host and port its own type leaves out.
      const { host, port } = client as unknown as Client;
      if (this.server !== undefined && this.server !== `${host}:${port}`) this.clock.forget();
      this.server = `${host}:${port}`;
    });
  }

  /** TypeORM has no accessor for its pool; `master` is a public field of its driver. */
  get pool(): Pool {
    return (this.dataSource.driver as PostgresDriver).master as Pool;
  }

  /** Runs one statement, and retries it after a deadlock or serialisation failure, which has no effect. */
  async query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> {
    return retrying(async () => runOn<R>(await this.pool.connect(), config));
  }

  /**
   * Runs statements in one transaction, which is rolled back if `work` throws. It holds a connection and its locks: nothing
   * in it waits for another host, or for another transaction of the process. A statement that waits too long for a lock
   * fails. `work` runs again after a deadlock, so it changes nothing but the database.
   *
   * The transactions of a key take turns in the process before they take a connection, and all together hold at most half of
   * the pool: a row that many want to change at once holds up nobody else.
   * @param key names the row that is locked, by its id.
   * @throws AppError `no_disponible` after too long a wait for the turn.
   */
  async transaction<T>(key: string, work: (run: Run) => Promise<T>): Promise<T> {
    return this.turns.run(key, () => retrying(async () => transactionOn(await this.pool.connect(), work)));
  }

  /**
   * Runs `work` in its turn and its share of the pool, as a transaction would, but without one: each statement stands for itself.
   * So also a statement that waits for a row's lock holds up nobody else.
   */
  async inTurn<T>(key: string, work: (run: Run) => Promise<T>): Promise<T> {
    return this.turns.run(key, () => work((config) => this.query(config)));
  }

  /** As `transaction`, with TypeORM's repositories. */
  async managed<T>(key: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.turns.run(key, () => retrying(() => this.dataSource.transaction(work)));
  }

  /**
   * Runs a statement that checks its own deadline with the SQL function `check_deadline`.
   * @param deadline as `performance.now()` counts.
   * @param toConfig makes the statement from the deadline on the server's clock, in milliseconds since 1970.
   */
  async queryBefore<R extends QueryResultRow>(
    deadline: number,
    toConfig: (serverDeadlineMs: number) => QueryConfig,
  ): Promise<QueryResult<R>> {
    const run = async () => this.query<R>(toConfig(await this.clock.serverMs(deadline)));
    try {
      return await run();
    } catch (error) {
      if (!isPastDeadline(error) || performance.now() >= deadline) throw error;
      // The server's clock was changed since it was last measured.
      await this.clock.measure();
      return run();
    }
  }

  /** Runs a statement and maps its rows, whose values come as PostgreSQL writes them. */
  async rows<Values extends RowValues, Row>(
    config: RawQuery,
    toRow: (values: Values) => Row,
  ): Promise<Row[]> {
    // `pool.query`, which closes the connection after an error: the values of a list are checked, so that no value causes one.
    const { rows } = await retrying(() => this.pool.query<(string | null)[]>(asWritten(config)));
    return toRows(rows, toRow);
  }

  private async readServerMs(): Promise<number> {
    const text = 'select extract(epoch from clock_timestamp()) * 1000 as ms';
    const { rows } = await this.pool.query<{ ms: string }>(text);
    return Number(rows[0]!.ms);
  }
}

/**
 * Runs a statement on a connection and releases it to its pool. `pool.query` closes the connection after every error; after
 * an error caused by a value or a lock the connection is still good, and opening one costs more than most statements.
 */
export async function runOn<R extends QueryResultRow>(
  client: PoolClient,
  config: QueryConfig,
): Promise<QueryResult<R>> {
  try {
    const result = await client.query<R>(config);
    client.release();
    return result;
  } catch (error) {
    client.release(!isFaultOfOneRow(error) && !isLockFault(error));
    throw error;
  }
}

async function transactionOn<T>(client: PoolClient, work: (run: Run) => Promise<T>): Promise<T> {
  try {
    await client.query('begin');
    const result = await work((config) => client.query(config));
    const { command } = await client.query('commit');
    if (command !== 'COMMIT')
      throw new Error('a statement failed, and its error was ignored: nothing was written');
    client.release();
    return result;
  } catch (error) {
    const isRolledBack = await client.query('rollback').then(
      () => true,
      () => false,
    );
    client.release(!isRolledBack || !leavesConnection(error));
    throw error;
  }
}

/** Whether a connection is still good after the rollback: a value, a lock or our own code made the transaction fail. */
function leavesConnection(error: unknown): boolean {
  return sqlStateOf(error) === undefined || isFaultOfOneRow(error) || isLockFault(error);
}

async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
      await sleep(Math.random() * 20 * attempt);
    }
  }
}
