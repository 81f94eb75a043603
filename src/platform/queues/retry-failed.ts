import { ErrorCode, type Job, type Queue } from 'bullmq';

/** A retried job gets all its attempts again. */
const AS_NEW = { resetAttemptsMade: true, resetAttemptsStarted: true };

/** Retries a failed job, the one way for the board, its pages and actions on many. False if it is gone, or not failed any more. */
export async function retryFailed(queue: Queue, jobId: string): Promise<boolean> {
  const job = (await queue.getJob(jobId)) as Job | undefined;
  if (!job) return false;
  try {
    await job.retry('failed', AS_NEW);
    return true;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === ErrorCode.JobNotInState || code === ErrorCode.JobNotExist) return false;
    throw error;
  }
}
