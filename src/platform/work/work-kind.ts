import type { QueryResultRow } from 'pg';
import type { NewJob } from '../queues/new-job.js';

/**
 * A kind of work that must not be lost: rows of a table, each with a job in a queue until the row is done. The row decides,
 * the job only schedules it. `LostJobsService` restores the job of a row that is due, `ResolvedJobsService` removes failed jobs
 * that need nobody any more, and `WorkService.startAgain` gives rows a new job that is due now.
 *
 * SQL in a declaration calls the row `t`.
 */
export interface WorkKind<Row extends QueryResultRow = QueryResultRow, Data extends object = object> {
  /** Has a column `ronda`: the number of jobs that a row had before its current one. Part of the job's id. */
  readonly table: string;
  /** Columns of the primary key, with their types. */
  readonly key: Readonly<Record<string, 'uuid' | 'text'>>;
  /** SQL condition: there is something to do for the row, now or later. A partial index on `dueAt` holds these rows. */
  readonly hasWork: string;
  /** Column: when the next run is due. */
  readonly dueAt: string;
  /** SQL condition: the row is due, but an attempt is running, so that its job is not lost. Default: never. */
  readonly isClaimed?: string;
  /** SQL of the columns of `Row`: the key, `ronda`, and what the job needs. Other tables in subqueries alone. */
  readonly columns: string;
  /**
   * SQL condition: the failed job of a row still needs a person. Default: the row has work. Set it if rows can fail for good:
   * otherwise their failed jobs leave the board.
   */
  readonly needsPerson?: string;
  /** SQL of the assignments that start a row again, beside `ronda` and `dueAt`. Without it rows cannot be started again. */
  readonly startAgain?: string;
  readonly queues: readonly string[];
  queueOf(row: Row): string;
  /** Its id is another in each round: BullMQ ignores a job with the id of an ended job that it keeps. */
  jobOf(row: Row): NewJob<string, Data>;
  /** The row's key, in the order of `key`. */
  keyOf(data: Data): readonly string[];
  /** The round that the job is of; undefined if the job is meant for any. */
  roundOf?(data: Data): number | undefined;
}

/** Token of the kinds whose jobs this process keeps in line with their rows; none where it has no workers. */
export const WATCHED_WORK = Symbol('WATCHED_WORK');

export const jobIdOf = (id: string, ronda: number): string => (ronda === 0 ? id : `${id}.${ronda}`);
