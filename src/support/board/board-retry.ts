import { ErrorCode, type Job, type Queue } from 'bullmq';
import { AppError } from '../../errors/app-error.js';

/** Jobs retried at once. */
const PAGE = 100;

/** A retried job has all its attempts again. */
const AS_NEW = { resetAttemptsMade: true, resetAttemptsStarted: true };

/** @throws AppError `no_encontrado`, or `transicion_invalida` if the job is not failed. */
export async function retryOne(queue: Queue, jobId: string): Promise<void> {
  const job = (await queue.getJob(jobId)) as Job | undefined;
  if (!job) throw new AppError('no_encontrado', { detail: 'La tarea ya no existe.' });
  if (await retry(job)) return;
  throw new AppError('transicion_invalida', {
    detail: 'La tarea no está fallida; quizá alguien más ya la reintentó.',
  });
}

/** Retries the jobs that have failed until now, oldest first. Those that fail again stay failed. */
export async function retryAll(queue: Queue): Promise<void> {
  const now = Date.now();
  for (;;) {
    const listed: (Job | undefined)[] = await queue.getJobs('failed', 0, PAGE - 1, true);
    const page = listed.filter((job) => job !== undefined && (job.finishedOn ?? 0) <= now) as Job[];
    if (page.length === 0) return;
    await Promise.all(page.map(retry));
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
