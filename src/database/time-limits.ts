/** How long a request may take, and wait for the database; all in ms. */
export interface TimeLimits {
  /** For a request to arrive whole; a slower sender loses its connection. */
  receive: number;
  /** From the complete request to its answer; then `http/answer-limit.ts` sends 503. The contract allows 5 s. */
  answer: number;
  /** For a free or new connection. */
  connection: number;
  /** For one statement, enforced by PostgreSQL. */
  statement: number;
  /** For any message of a server with a statement in flight. A frozen server does not enforce its own limit. */
  silence: number;
  /**
   * For a transaction between two of its statements, enforced by PostgreSQL: it holds its rows. The server is not told where a
   * connection is lost to us alone, and would wait for hours.
   */
  transaction: number;
}

/** Those of connections. */
export type ConnectionLimits = Pick<TimeLimits, 'connection' | 'statement' | 'silence' | 'transaction'>;

export const TIME_LIMITS: TimeLimits = {
  receive: 15_000,
  answer: 4_800,
  connection: 4_000,
  statement: 4_000,
  silence: 4_500,
  transaction: 30_000,
};
