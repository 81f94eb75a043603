import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Logger } from 'pino';
import { withTimeout } from '../../timeouts/with-timeout.js';
import { asWritten, Database, toRows, type RawQuery, type RowValues } from '../database.js';
import { PrimaryPosition, type Position } from './primary-position.js';
import { Replica } from './replica.js';

/** ms that a read waits for a replica to catch up before it uses the primary. */
const WAIT_MS = 50;

/** ms for closing connections; a server that hangs does not answer that either. */
const CLOSE_MS = 1_000;

export interface ReplicaStatus {
  /** Host and port. */
  replica: string;
  /** Why it is not read, in Spanish; undefined while it is. */
  causa: string | undefined;
}

/**
 * Runs read-only statements on a replica that has replayed every commit up to the begin of the read, else on the primary. Has the methods of `Database`; without replicas it only calls them.
 *
 * As in Raft's ReadIndex, a read first asks the primary for the end of its log, and then reads from a replica that has
 * replayed the log up to there. Everything that any process answered, sent or showed before the read began is in the log by
 * then, so no position has to be kept in a process, a cursor or Redis. TypeORM's own `replication` does not wait: a list
 * may lack a guide that was just created.
 *
 * A replica may show a commit before the primary does, while the primary waits for a synchronous replica. The next read may
 * be answered by the primary, without that commit. A list whose rows move while it is read (`actualizada_desde`) could
 * skip a row by that, so it uses `Database`.
 */
export class Reads implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Reads so far, by where they were answered; not counted without replicas. */
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

  /** Bytes of the primary's log that each replica has yet to replay; undefined for a replica that is not read. */
  async lags(): Promise<(number | undefined)[]> {
    const position = await this.primary.now();
    return Promise.all(this.replicas.map((replica) => replica.lag(position)));
  }

  onApplicationBootstrap(): void {
    // Not awaited: an unreachable replica does not delay the start.
    for (const replica of this.replicas) replica.admit();
  }

  async onApplicationShutdown(): Promise<void> {
    const closing = Promise.all(this.replicas.map((replica) => replica.close()));
    await withTimeout(CLOSE_MS, closing).catch(() => undefined);
  }

  /** A replica's answer; undefined if the primary has to answer. Never fails: the primary reports the error of a bad statement. */
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

  /** The least busy replica that has replayed the position, or else the first that replays it within `WAIT_MS`. */
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
    const first = await withTimeout(WAIT_MS, Promise.any(waits)).catch(() => undefined);
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
