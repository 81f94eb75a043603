import { Coalescer } from '../coalescer.js';
import type { Database } from '../database.js';
import { primaryPosition, systemOf, type PrimaryRow } from './replicas.queries.js';

/** A moment in the life of the primary. */
export interface Position {
  /** Of the primary's log; another one after each promotion. */
  readonly history: string;
  /** Bytes of the log. */
  readonly lsn: bigint;
}

/** One question at a time, and another beside one that is slow. */
const CONCURRENCY = 2;

/** Reads that share an answer at most; any number may. */
const MAX_READS = 10_000;

/** ms for a question to be sent; then the primary is too busy to be asked anything. */
const WAIT_MS = 1_000;

/** Asks the primary how far it is. Reads that ask at the same time share a question. */
export class PrimaryPosition {
  private readonly questions = new Coalescer<void, Position>((reads) => this.ask(reads), {
    concurrency: CONCURRENCY,
    maxBatch: MAX_READS,
  });

  constructor(private readonly database: Database) {}

  /** Where the primary is now, or a little later: the question is sent after the call. */
  now(): Promise<Position> {
    return this.questions.call(undefined, performance.now() + WAIT_MS);
  }

  /** The number that the primary shares with its replicas. */
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
