import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { Turns } from './turns.js';

/** Statements of a lane that run at once. */
const AT_ONCE = 2;

/** ms; a shorter statement holds up nobody, and needs no pause: a page of many such reads is as fast as it was. */
const LONG_MS = 10;

type Query = <R extends QueryResultRow>(config: QueryConfig) => Promise<QueryResult<R>>;

/**
 * Reads of pages, two at a time, each long one followed by a pause as long as it took: many pages that are opened at once hold
 * up nobody else, also where PostgreSQL has few cores. Equal reads run one after the other, and those that wait share their
 * rows: each sees everything that was committed before it was asked for. Their callers do not change the rows.
 */
export class Lane {
  private readonly turns: Turns;
  private readonly waiting = new Map<string, Promise<QueryResult>>();

  /** @param waitMs ms until a read that waits is refused. */
  constructor(
    private readonly run: Query,
    waitMs: number,
  ) {
    this.turns = new Turns({ slots: AT_ONCE, waitMs });
  }

  /** As `Database.query`, for a statement that only reads. @throws AppError `no_disponible` after too long a wait */
  query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> {
    const key = JSON.stringify([config.text, config.values]);
    const shared = this.waiting.get(key);
    if (shared) return shared as Promise<QueryResult<R>>;
    const read = new Promise<QueryResult<R>>((resolve, reject) => {
      const inTurn = async () => {
        this.waiting.delete(key);
        const began = performance.now();
        const result = this.run<R>(config);
        resolve(result);
        await result.catch(() => undefined);
        const tookMs = performance.now() - began;
        if (tookMs >= LONG_MS) await sleep(tookMs);
      };
      this.turns.run(key, inTurn).catch((refused: Error) => {
        this.waiting.delete(key);
        reject(refused);
      });
    });
    this.waiting.set(key, read);
    return read;
  }

  /** The rows of such a read. */
  async rows<R extends QueryResultRow>(config: QueryConfig): Promise<R[]> {
    return (await this.query<R>(config)).rows;
  }
}
