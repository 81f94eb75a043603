import type { EventEmitter } from 'node:events';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Queue, UnrecoverableError, Worker, type BulkJobOptions, type Job, type WorkerOptions } from 'bullmq';
import type { Logger } from 'pino';
import { StartupError } from '../errors/startup-error.js';
import { InjectLogger } from '../logging/logging.module.js';
import { QueueConnections } from './queue-connections.js';
import { PauseQueue, RetryLater, type QueueDefinition } from './queue-definition.js';

/** Longest a stop waits for jobs under way; what is cut off then is found and run again. */
const FINISH_LIMIT_MS = 6_000;

/** A producer that gets no answer gives up: whoever wanted the job added has it in the database. */
const ADD_LIMIT_MS = 2_500;

/** Jobs added together; each such batch has the time above. */
const ADD_BATCH = 500;

/** Never reached: how often a job is tried again its handler says, who sees the database. */
const ATTEMPTS = 10_000;

/** Milliseconds; figures are not worth more. */
const COUNT_LIMIT_MS = 1_000;

/** Tries of a job that ends in a defect, before it waits for a person. */
const DEFECT_ATTEMPTS = 10;

const WORKER: Partial<WorkerOptions> = {
  /** Never reached; but without one BullMQ does not look at the pause that `queue.rateLimit` sets. */
  limiter: { max: 1_000_000_000, duration: 1_000 },
  /** Milliseconds; a job of a worker that died is run again after at most the sum of the two. */
  lockDuration: 15_000,
  stalledInterval: 10_000,
  /** A job is never failed for its workers' deaths: deploys and kills must not lose it. */
  maxStalledCount: 1_000,
  /** Milliseconds until a worker tries again after its queue's store was unreachable. */
  runRetryDelay: 1_000,
  /** Milliseconds; while the queue is paused, delayed jobs are looked at this often. */
  maximumRateLimitDelay: 5_000,
};

/** Jobs asked about at the same time: with thousands some would wait too long for one of the few connections. */
const ASKED_AT_ONCE = 50;

/** A job to be added. */
export interface NewJob<Names extends string, Data> {
  /** Names the job for good: adding it twice adds it once, as long as it is kept. No `:`, not only digits. */
  id: string;
  name: Names;
  data: Data;
  /** Milliseconds. */
  delay?: number;
  /** Ahead of everything that waits. */
  isUrgent?: boolean;
}

/** What handles the jobs of a queue, by name. */
export type Handlers<Names extends string, Data> = Record<Names, (data: Data, job: Job) => Promise<unknown>>;

/**
 * BullMQ, on Redis or on PostgreSQL. Made by hand and not by `@nestjs/bullmq`: that knows no backend but a
 * process-wide one, shares a producer's impatient connection with its worker, and waits for jobs at the stop
 * without limit.
 */
@Injectable()
export class QueuesService implements BeforeApplicationShutdown {
  private readonly queues = new Map<string, Queue>();
  private readonly workers: Worker[] = [];
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly connections: QueueConnections,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Every queue this process has, for the board and for gauges. */
  get all(): Queue[] {
    return [...this.queues.values()];
  }

  /** Jobs of each queue by state; of a queue whose store does not answer none. */
  async counts(): Promise<{ queue: string; state: string; jobs: number }[]> {
    const counted = this.all.map(async (queue) => {
      const counts = await within(
        COUNT_LIMIT_MS,
        queue.getJobCounts('waiting', 'active', 'delayed', 'failed'),
      );
      return Object.entries(counts).map(([state, jobs]) => ({ queue: queue.name, state, jobs }));
    });
    const settled = await Promise.allSettled(counted);
    return settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  }

  /** The queue of a definition; the same object each time. */
  queue({ name, options }: QueueDefinition<string, unknown>): Queue {
    const known = this.queues.get(name);
    if (known) return known;
    const queue = new Queue(
      name,
      {
        connection: this.connections.producer(),
        // The look at Redis's version fails for good where Redis dies at that moment, and the queue with it.
        skipVersionCheck: true,
        defaultJobOptions: { attempts: ATTEMPTS, backoff: { type: 'asked' }, ...options },
      },
      this.connections.backend,
    );
    this.reportOutages(queue, name);
    this.queues.set(name, queue);
    return queue;
  }

  /**
   * Adds jobs; those that are there already stay as they are.
   * @throws within seconds where the queue's store does not answer.
   */
  async add<Names extends string, Data>(
    definition: QueueDefinition<Names, Data>,
    jobs: NewJob<Names, Data>[],
  ): Promise<void> {
    if (jobs.length === 0) return;
    const bulk = jobs.map(({ id, name, data, delay, isUrgent }) => {
      const opts: BulkJobOptions = { jobId: id, ...(delay && { delay }), ...(isUrgent && { lifo: true }) };
      return { name, data, opts };
    });
    for (let at = 0; at < bulk.length; at += ADD_BATCH)
      await within(ADD_LIMIT_MS, this.queue(definition).addBulk(bulk.slice(at, at + ADD_BATCH)));
  }

  /** Has a job that waits for its time run now. @throws where it does not. */
  async hasten(definition: QueueDefinition<string, unknown>, jobId: string): Promise<void> {
    const job = (await within(ADD_LIMIT_MS, this.queue(definition).getJob(jobId))) as Job | undefined;
    await job?.promote();
  }

  /** Of rows that should have a job those whose job is not in the queue, or has ended. */
  async without<Row>(
    definition: QueueDefinition<string, unknown>,
    rows: Row[],
    jobIdOf: (row: Row) => string,
  ): Promise<Row[]> {
    const queue = this.queue(definition);
    const states: string[] = [];
    for (let from = 0; from < rows.length; from += ASKED_AT_ONCE) {
      const some = rows.slice(from, from + ASKED_AT_ONCE);
      states.push(...(await Promise.all(some.map((row) => queue.getJobState(jobIdOf(row))))));
    }
    return rows.filter((_, i) => ['unknown', 'completed', 'failed'].includes(states[i]!));
  }

  /**
   * Starts to work on a queue. The handlers say what becomes of a job: a value and it is done, `RetryLater`
   * and it comes again, `PauseQueue` and all wait, `UnrecoverableError` and it stays failed for a person.
   * @throws StartupError when a job could be added that nobody handles.
   */
  work<Names extends string, Data>(
    definition: QueueDefinition<Names, Data>,
    handlers: Handlers<Names, Data>,
    options: { concurrency: number },
  ): Worker {
    const orphans = definition.jobs.filter((name) => !Object.hasOwn(handlers, name));
    if (orphans.length > 0) throw new StartupError(`jobs without a handler: ${orphans.join(', ')}`);
    const queue = this.queue(definition);
    const run = async (job: Job): Promise<unknown> => {
      const handle = handlers[job.name as Names] as Handlers<Names, Data>[Names] | undefined;
      if (!handle) throw new RetryLater(`Este proceso no conoce la tarea ${job.name}.`, 60_000);
      try {
        return await handle(job.data as Data, job);
      } catch (error) {
        if (error instanceof PauseQueue) {
          await queue.rateLimit(error.pauseMs);
          throw Worker.RateLimitError();
        }
        throw this.forTheBoard(error, job);
      }
    };
    const worker = new Worker(
      definition.name,
      run,
      {
        ...WORKER,
        ...options,
        connection: this.connections.worker(),
        settings: { backoffStrategy: (made, _type, error) => delayOf(error, made) },
      },
      this.connections.backend,
    );
    this.reportOutages(worker, definition.name);
    this.workers.push(worker);
    return worker;
  }

  /** Before the database is closed, which jobs under way need. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Takes no more jobs and waits for those under way, but not for long. */
  stop(): Promise<void> {
    this.stopping ??= this.closeAll();
    return this.stopping;
  }

  private async closeAll(): Promise<void> {
    const finished = Promise.all(this.workers.map((worker) => worker.pause()));
    await within(FINISH_LIMIT_MS, finished).catch(() => undefined);
    await Promise.allSettled(this.workers.map((worker) => within(ADD_LIMIT_MS, worker.close(true))));
    await Promise.allSettled(this.all.map((queue) => within(ADD_LIMIT_MS, queue.close())));
  }

  /** What staff may read: the handlers' own words, or that something is broken; never a foreign error's text. */
  private forTheBoard(error: unknown, job: Job): Error {
    const isOurs = error instanceof RetryLater || error instanceof UnrecoverableError;
    if (!isOurs)
      this.logger.error({ err: error, queue: job.queueName, job: job.id, name: job.name }, 'job failed');
    const shown = isOurs
      ? error
      : new Error('Una falla interna impidió la tarea; se reintenta sola. Vea el registro.');
    shown.stack = shown.message;
    return shown;
  }

  /** One line when the queue's store is lost; BullMQ emits an error for every try. */
  private reportOutages(source: EventEmitter, queue: string): void {
    let lastAt = 0;
    source.on('error', (error: Error) => {
      const now = Date.now();
      if (now - lastAt > 30_000)
        this.logger.warn({ err: error, queue }, 'queue store unreachable; trying again');
      lastAt = now;
    });
  }
}

/** Milliseconds until the next try; -1 for none. What is no `RetryLater` is a defect, or a database that is away. */
function delayOf(error: Error | undefined, made: number): number {
  // In PostgreSQL a fraction is no delay, and the job would stay where it is.
  if (error instanceof RetryLater) return Math.ceil(error.delayMs);
  return made >= DEFECT_ATTEMPTS ? -1 : Math.min(1_000 * 2 ** made, 300_000);
}

async function within<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the queue store did not answer in time')), limitMs);
  });
  // What comes after the limit concerns nobody.
  promise.catch(() => undefined);
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}
