import { Coalescer } from '../coalescer.js';
import type { Database } from '../database.js';
import { primaryPosition, systemOf, type PrimaryRow } from './replicas.queries.js';

/** A position in the primary's log. */
export interface Position {
  /** The timeline of the log; each promotion begins a new one. */
  readonly history: string;
  /** Bytes of the log. */
  readonly lsn: bigint;
}

/** One query at a time, and a second one beside a slow one. */
const CONCURRENCY = 2;

/** Reads that share a query; in practice no limit. */
const MAX_READS = 10_000;

/** ms that a read waits for its query to be sent; after that the primary is too busy. */
const WAIT_MS = 1_000;

/** Asks the primary for its position. Concurrent reads share a query. */
export class PrimaryPosition {
  private readonly questions = new Coalescer<void, Position>((reads) => this.ask(reads), {
    concurrency: CONCURRENCY,
    maxBatch: MAX_READS,
  });

  constructor(private readonly database: Database) {}

  /** The position at the time of the call, or a little later: the query is sent after the call. */
  now(): Promise<Position> {
    return this.questions.call(undefined, performance.now() + WAIT_MS);
  }

  /** The system identifier, which a primary shares with its replicas. */
  async system(): Promise<string> {
    const { rows } = await this.database.query<{ system: string }>(systemOf);
    return rows[0]!.system;
  }

  private async ask(reads: void[]): Promise<Position[]> {
    const { rows } = await this.database.query<PrimaryRow>(primaryPosition);
    const position = { history: rows[0]!.history, lsn: BigInt(rows[0]!.lsn) };
    return reads.map(() => position);
  }
}
