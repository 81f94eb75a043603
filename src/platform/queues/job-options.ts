import type { JobsOptions } from 'bullmq';

const DAY_S = 24 * 60 * 60;

export const JOB_OPTIONS: JobsOptions = {
  /** Never reached: the handler decides by the row how often a job is retried. */
  attempts: 10_000,
  /** The worker's `backoffStrategy`. */
  backoff: { type: 'asked' },
  /** Seconds; finished jobs stay a week for support. */
  removeOnComplete: { age: 7 * DAY_S },
  /** Seconds; failed jobs wait three months for a person. */
  removeOnFail: { age: 90 * DAY_S },
  /** Lines: support needs the reason; the stack is in the log. */
  stackTraceLimit: 1,
};
