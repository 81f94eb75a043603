import { setTimeout } from 'node:timers/promises';
import type { Job, Queue } from 'bullmq';
import { AppError } from '../../../platform/errors/app-error.js';
import { retryFailed } from '../../../platform/queues/retry-failed.js';

const AT_ONCE = 20;

/** Tries of one job, and ms before the next: a busy store may not answer in time. */
const TRIES = 3;
const TRY_AGAIN_MS = 300;

/** @throws AppError `no_encontrado`, or `tarea_no_fallida`. */
export async function retryOne(queue: Queue, jobId: string): Promise<void> {
  const job = (await queue.getJob(jobId)) as Job | undefined;
  if (!job) throw new AppError('no_encontrado', { detail: 'La tarea ya no existe.' });
  if (await retryFailed(queue, jobId)) return;
  throw new AppError('tarea_no_fallida', {
    detail: 'La tarea no está fallida; quizá alguien más ya la reintentó.',
  });
}

export interface RetryProgress {
  /** Jobs that had failed when it was asked for. */
  readonly total: number;
  retried: number;
  /** Ids of jobs that could not be retried, each tried several times; without those that others retried meanwhile. */
  readonly left: string[];
  /** Resolves when each job was retried, or is in `left`. */
  readonly done: Promise<void>;
}

/** Retries all jobs that have failed until now, oldest first; one that cannot be retried holds up none. */
export async function retryAll(queue: Queue): Promise<RetryProgress> {
  const ids = await queue.getRanges(['failed'], 0, -1, true);
  const progress = { total: ids.length, retried: 0, left: [] as string[] };
  const retryOf = async (id: string): Promise<void> => {
    for (let tries = 1; ; tries++) {
      try {
        if (await retryFailed(queue, id)) progress.retried++;
        return;
      } catch {
        if (tries === TRIES) return void progress.left.push(id);
        await setTimeout(tries * TRY_AGAIN_MS);
      }
    }
  };
  const run = async (): Promise<void> => {
    for (let from = 0; from < ids.length; from += AT_ONCE)
      await Promise.all(ids.slice(from, from + AT_ONCE).map(retryOf));
  };
  return Object.assign(progress, { done: run() });
}
