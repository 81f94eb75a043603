import { randomBytes } from 'node:crypto';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Job, JobsOptions, Queue } from 'bullmq';
import { withTimeout } from '../timeouts/with-timeout.js';
import { traceparent } from '../tracing/spans.js';
import type { NewJob } from './new-job.js';
import { QueueStore } from './queue-store.js';
import { isOutage } from './store-away.js';

/** Milliseconds for one batch. On timeout the caller gives up; a sweep adds the jobs later. */
const ADD_LIMIT_MS = 2_500;
const ADD_BATCH = 500;

/** Milliseconds; timeout of metrics queries. */
const COUNT_LIMIT_MS = 1_000;

/** Jobs looked up at a time: thousands would time out waiting for one of the few connections. */
const ASK_BATCH = 50;

@Injectable()
export class QueuesService implements BeforeApplicationShutdown {
  /** Queues whose last `addOrLeave` failed. */
  private readonly leaving = new Set<string>();

  constructor(private readonly store: QueueStore) {}

  /** Stops the workers while the database is still open, because running jobs need it. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  /** Why Redis does not work for us, in Spanish; undefined where it does, or the queues are in PostgreSQL. */
  get causa(): string | undefined {
    return this.store.causa;
  }

  /** The queues of this process by name, for the board and the metrics. */
  get all(): Queue[] {
    return [...this.store.queues].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  queue(name: string): Queue {
    return this.store.queue(name);
  }

  /** Jobs of each queue by state; queues whose store does not answer are left out. */
  async counts(): Promise<{ queue: string; state: string; jobs: number }[]> {
    const counted = this.all.map(async (queue) => {
      const counts = await withTimeout(
        COUNT_LIMIT_MS,
        queue.getJobCounts('waiting', 'active', 'delayed', 'failed'),
      );
      return Object.entries(counts).map(([state, jobs]) => ({ queue: queue.name, state, jobs }));
    });
    const settled = await Promise.allSettled(counted);
    return settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  }

  /**
   * Adds jobs; a job whose id is already in the queue is not changed, unless it `isSingle`.
   * @returns of single jobs: how many subjects had no job.
   * @throws within seconds if the store does not answer.
   */
  async add(name: string, jobs: NewJob[]): Promise<number> {
    const queue = this.queue(name);
    const running = traceparent();
    const bulk = jobs.map(({ id, name, data, delay, isUrgent, isSingle, traceparent = running }) => ({
      name,
      data,
      opts: {
        ...(isSingle ? single(id) : { jobId: id }),
        ...(delay && { delay }),
        ...(isUrgent && { lifo: true }),
        ...(traceparent && { telemetry: { metadata: traceparent } }),
      },
    }));
    let added = 0;
    for (const batch of batchesOf(ADD_BATCH, bulk)) {
      const stored = await withTimeout(ADD_LIMIT_MS, queue.addBulk(batch));
      added += stored.filter(({ id }, n) => id === batch[n]!.opts.jobId).length;
    }
    return added;
  }

  /**
   * As `add`, for jobs whose rows are committed: while the store is away they are left to the sweep that finds the
   * rows. Logs the first of several failures.
   */
  async addOrLeave(name: string, jobs: NewJob[]): Promise<void> {
    try {
      await this.add(name, jobs);
      this.leaving.delete(name);
    } catch (error) {
      if (!isOutage(error)) throw error;
      this.store.note(error);
      if (!this.leaving.has(name))
        this.store.logger.warn({ err: error, queue: name }, 'jobs wait for the queue store; none is lost');
      this.leaving.add(name);
    }
  }

  /**
   * The rows whose job is neither waiting, delayed nor running. Removes jobs that have ended, which frees their ids. Leaves
   * out rows whose job failed in the last `failedMs` milliseconds: support should see it first.
   */
  async withoutJob<Row>(
    name: string,
    rows: Row[],
    jobIdOf: (row: Row) => string,
    failedMs: number,
  ): Promise<Row[]> {
    const queue = this.queue(name);
    // Not `getJobState`, which searches the list of waiting jobs: with a long list that would block Redis.
    const isFree = async (row: Row): Promise<boolean> => {
      const id = jobIdOf(row);
      const job = (await queue.getJob(id)) as Job | undefined;
      if (!job) return true;
      if (job.finishedOn === undefined) return false;
      if (Date.now() - job.finishedOn < failedMs && (await job.isFailed())) return false;
      await queue.remove(id);
      return true;
    };
    const free: boolean[] = [];
    for (const batch of batchesOf(ASK_BATCH, rows)) free.push(...(await Promise.all(batch.map(isFree))));
    return rows.filter((_, i) => free[i]);
  }

  /** Removes waiting jobs that nobody needs. While the store is away they are left: such a job finds nothing to do. */
  async removeWaiting(name: string, ids: string[]): Promise<void> {
    const queue = this.queue(name);
    const remove = async (id: string): Promise<void> => {
      const job = (await queue.getJob(id)) as Job | undefined;
      // One that is running is locked, and stays.
      if (job && job.finishedOn === undefined) await queue.remove(id);
    };
    try {
      for (const batch of batchesOf(ASK_BATCH, ids))
        await withTimeout(ADD_LIMIT_MS, Promise.all(batch.map(remove)));
    } catch (error) {
      if (!isOutage(error)) throw error;
      this.store.note(error);
    }
  }

  /**
   * Stops the workers: they take no more jobs and wait briefly for running ones. Jobs can still be added;
   * @nestjs/bullmq closes the queues after the requests in flight.
   */
  async stop(): Promise<void> {
    await Promise.all(this.store.workers.map((worker) => worker.close()));
  }
}

/** A job that follows a running one is stored before that one ends, so each has an id of its own. */
function single(id: string): JobsOptions {
  return {
    jobId: `${id}.${randomBytes(6).toString('hex')}`,
    deduplication: { id, keepLastIfActive: true, reschedule: true },
    removeOnComplete: true,
  };
}

function* batchesOf<T>(size: number, items: T[]): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
