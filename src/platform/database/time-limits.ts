/** Timeouts of requests and of the database; all in ms. */
export interface TimeLimits {
  /** For a request to arrive whole; a slower sender loses its connection. */
  receive: number;
  /** From the complete request to the response; then `http/answer-limit.ts` sends 503. The contract allows 5 s. */
  answer: number;
  /** For a free or new connection. */
  connection: number;
  /** For one statement, enforced by PostgreSQL. */
  statement: number;
  /** Between two messages of a server while a statement is in flight. A frozen server does not enforce its own limit. */
  silence: number;
  /** For a lock that another transaction holds; enforced by PostgreSQL. */
  lock: number;
  /** For the turn of a transaction that waits for others of the process; less than `answer`. */
  turn: number;
  /**
   * Between two statements of a transaction, which holds its row locks; enforced by PostgreSQL. A server that is not told
   * that its client is gone would wait for hours.
   */
  transaction: number;
}

export type ConnectionLimits = Pick<
  TimeLimits,
  'connection' | 'statement' | 'silence' | 'lock' | 'transaction'
>;

export const TIME_LIMITS: TimeLimits = {
  receive: 15_000,
  answer: 4_800,
  connection: 4_000,
  statement: 4_000,
  silence: 4_500,
  lock: 2_000,
  turn: 4_500,
  transaction: 30_000,
};
