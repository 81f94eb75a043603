import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Logger } from 'pino';
import { asWritten, Database, toRows, type RawQuery, type RowValues } from '../database.js';
import { PrimaryPosition, type Position } from './primary-position.js';
import { Replica } from './replica.js';

/** ms that a read waits for a replica to catch up before it goes to the primary. */
const WAIT_MS = 50;

/** ms for closing connections; a server that hangs does not answer to that either. */
const CLOSE_MS = 1_000;

/** A replica, for operators. */
export interface ReplicaStatus {
  /** Host and port. */
  replica: string;
  /** Why it is not read, in Spanish; undefined while it is. */
  causa: string | undefined;
}

/**
 * Statements that only read: from a replica that has everything that was committed when the read began, else from the
 * primary. Has the methods of `Database`, and is `Database` where there are no replicas.
 *
 * As Raft's ReadIndex does, a read first asks the primary for the end of its log, and then a replica that has replayed the
 * log up to there. Whatever anybody was told before the read began was in the log by then: not only what this process or
 * this key has written, but all that other processes answered, sent to a merchant or wrote on a page. Nothing has to be
 * remembered for that, in a process, in a cursor or in Redis. TypeORM's own `replication` does without: after a create its
 * list may lack the guide.
 *
 * Beyond that, a replica may already show a commit that the primary has written to its log and not yet shown, because it
 * waits for a synchronous replica. A read that finds it may be followed by one on the primary that does not. Lists whose
 * rows move while they are read (`actualizada_desde`) would skip a row by that, and stay with `Database`.
 */
export class Reads implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Reads so far, by where; only counted where there are replicas. */
  readonly counts = { replica: 0, primary: 0 };

  private readonly primary: PrimaryPosition;
  private readonly replicas: Replica[];
  private turn = 0;

  /** @param urls of the replicas; without any, everything is read from the primary. */
  constructor(
    private readonly database: Database,
    urls: readonly string[],
    logger: Logger,
  ) {
    this.primary = new PrimaryPosition(database);
    this.replicas = urls.map((url) => new Replica(url, this.primary, logger));
  }

  /** As `Database.query`, for a statement that only reads. */
  async query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> {
    if (this.replicas.length === 0) return this.database.query<R>(config);
    const found = await this.onReplica((replica) => replica.run<R>(config));
    return found ?? this.database.query<R>(config);
  }

  /** As `Database.rows`. */
  async rows<Values extends RowValues, Row>(
    config: RawQuery,
    toRow: (values: Values) => Row,
  ): Promise<Row[]> {
    if (this.replicas.length === 0) return this.database.rows(config, toRow);
    const found = await this.onReplica((replica) => replica.run(asWritten(config)));
    return found ? toRows(found.rows, toRow) : this.database.rows(config, toRow);
  }

  /** Every replica, in the order of DATABASE_READ_URL. */
  get status(): ReplicaStatus[] {
    return this.replicas.map(({ name, causa }) => ({ replica: name, causa }));
  }

  /** Bytes of the primary's log that each replica has yet to replay; undefined for one that is not read. */
  async lags(): Promise<(number | undefined)[]> {
    const position = await this.primary.now();
    return Promise.all(this.replicas.map((replica) => replica.lag(position)));
  }

  onApplicationBootstrap(): void {
    // Not awaited: a replica that is away delays no start.
    for (const replica of this.replicas) replica.admit();
  }

  async onApplicationShutdown(): Promise<void> {
    const closing = Promise.all(this.replicas.map((replica) => replica.close()));
    await Promise.race([closing, sleep(CLOSE_MS, undefined, { ref: false })]);
  }

  /** What a replica answered; undefined where the primary has to, which also says what is wrong with a statement. */
  private async onReplica<T>(run: (replica: Replica) => Promise<T>): Promise<T | undefined> {
    try {
      const replica = await this.choose(await this.primary.now());
      if (replica) {
        const result = await run(replica);
        this.counts.replica++;
        return result;
      }
    } catch {
      // The replica has logged its failure; the primary will report its own.
    }
    this.counts.primary++;
    return undefined;
  }

  /** The least busy replica that has the position now, or else the first to reach it in a moment. */
  private async choose(position: Position): Promise<Replica | undefined> {
    const near = this.replicas.filter((replica) => replica.isNear(position));
    const ready = near.filter((replica) => replica.has(position));
    if (ready.length > 0) return this.leastBusy(ready);
    if (near.length === 0) return undefined;
    const deadline = performance.now() + WAIT_MS;
    const waits = near.map(async (replica) => {
      if (await replica.reach(position, deadline)) return replica;
      throw new Error('late');
    });
    const first = await Promise.race([
      Promise.any(waits).catch(() => undefined),
      sleep(WAIT_MS, undefined, { ref: false }),
    ]);
    if (!first) for (const replica of near) replica.miss(position);
    return first ?? undefined;
  }

  private leastBusy(replicas: Replica[]): Replica {
    const start = this.turn++;
    return replicas
      .map((_, i) => replicas[(start + i) % replicas.length]!)
      .reduce((least, replica) => (replica.reading < least.reading ? replica : least));
  }
}
