import type { JobsOptions } from 'bullmq';

/** What is the same for every job of a queue: how it is named, kept and tried again. */
export interface QueueDefinition<Names extends string, Data> {
  /** The queue's name on the board. */
  readonly name: string;
  /** Every job name it takes; a worker must handle them all. */
  readonly jobs: readonly Names[];
  readonly options: JobsOptions;
  /** Never set: carries the type of the jobs' data, which is ids and nothing else. */
  readonly data?: Data;
}

const DAY_S = 24 * 60 * 60;

/** Job options that every queue shares. */
export const KEEP: JobsOptions = {
  /** Seconds; done jobs stay a week for support to look at. */
  removeOnComplete: { age: 7 * DAY_S },
  /** Seconds; failed jobs wait three months for a person. */
  removeOnFail: { age: 90 * DAY_S },
  /** Lines: a reason for people is enough, and where the code was is in the log. */
  stackTraceLimit: 1,
};

/** What a job handler throws to be called again later. */
export class RetryLater extends Error {
  /**
   * @param message why, in Spanish, for the board.
   * @param delayMs milliseconds until the next try.
   */
  constructor(
    message: string,
    readonly delayMs: number,
  ) {
    super(message);
  }
}

/** What a job handler throws to make the whole queue wait; the job itself uses up no try. */
export class PauseQueue extends Error {
  constructor(readonly pauseMs: number) {
    super('the queue waits');
  }
}
