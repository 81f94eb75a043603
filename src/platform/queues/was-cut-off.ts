import type { Job } from 'bullmq';

/**
 * Whether a run of a job before this one was cut off: its worker died, or the store did not record how it ended. A retry on
 * the board starts both counts again.
 */
export function wasCutOff({
  attemptsStarted,
  attemptsMade,
}: Pick<Job, 'attemptsStarted' | 'attemptsMade'>): boolean {
  return attemptsStarted > attemptsMade + 1;
}
