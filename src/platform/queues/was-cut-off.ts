import type { Job } from 'bullmq';

/** Whether an earlier run of a job was cut off; a retry on the board starts both counts again. */
export function wasCutOff({
  attemptsStarted,
  attemptsMade,
}: Pick<Job, 'attemptsStarted' | 'attemptsMade'>): boolean {
  return attemptsStarted > attemptsMade + 1;
}
