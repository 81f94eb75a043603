import { ErrorCode, type Job, type Queue } from 'bullmq';
import { AppError } from '../../errors/app-error.js';

/** Jobs retried at once. */
const PAGE = 100;

/** A retried job gets all its attempts again. */
const AS_NEW = { resetAttemptsMade: true, resetAttemptsStarted: true };

/** @throws AppError `no_encontrado`, or `tarea_no_fallida`. */
export async function retryOne(queue: Queue, jobId: string): Promise<void> {
  const job = (await queue.getJob(jobId)) as Job | undefined;
  if (!job) throw new AppError('no_encontrado', { detail: 'La tarea ya no existe.' });
  if (await retry(job)) return;
  throw new AppError('tarea_no_fallida', {
    detail: 'La tarea no está fallida; quizá alguien más ya la reintentó.',
  });
}

/**
 * Retries failed jobs, oldest first. A job that fails again stays failed.
 * @param count of the failed jobs. Their times cannot bound the retries: they come from the workers' clocks.
 */
export async function retryAll(queue: Queue, count: number): Promise<void> {
  for (let left = count; left > 0;) {
    const page: Job[] = await queue.getJobs('failed', 0, Math.min(PAGE, left) - 1, true);
    if (page.length === 0) return;
    await Promise.all(page.map(retry));
    left -= page.length;
  }
}

/** False if the job is no longer failed, or gone. */
async function retry(job: Job): Promise<boolean> {
  try {
    await job.retry('failed', AS_NEW);
    return true;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === ErrorCode.JobNotInState || code === ErrorCode.JobNotExist) return false;
    throw error;
  }
}
