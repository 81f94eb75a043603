import { SpanKind } from '@opentelemetry/api';
import {
  RateLimitError,
  UnrecoverableError,
  Worker,
  type Job,
  type Processor,
  type Queue,
  type WorkerOptions,
} from 'bullmq';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { WORK_LIMIT_MS } from '../config/stop-limits.js';
import { withTimeout } from '../timeouts/with-timeout.js';
import { contextFrom, inSpan } from '../tracing/spans.js';
import { PauseQueue, RetryLater } from './job-errors.js';
import { pauseQueue } from './queue-pause.js';
import type { QueueStore } from './queue-store.js';
import { isOutage } from './store-away.js';

/** Milliseconds. */
const CLOSE_LIMIT_MS = 1_000;

/** Consecutive bugs of a job, in one process, after which it stays failed for support. */
const MAX_DEFECTS = 10;

/** Jobs whose failures are counted; a job dropped from the cache starts again at 0. */
const MAX_COUNTED = 10_000;

/** Milliseconds; the longest backoff after a defect, and while the database or the queue store is away. */
const DEFECT_WAIT_MS = 300_000;
const OUTAGE_WAIT_MS = 30_000;

/** ms before a job runs again whose completion the store did not record. */
const UNFINISHED_WAIT_MS = 1_000;

const OPTIONS: Partial<WorkerOptions> = {
  /** Seconds between polls while no job is due; a new job wakes the worker at once. */
  drainDelay: 10,
  /** Milliseconds; a job whose worker died runs again after at most lockDuration + stalledInterval. */
  lockDuration: 15_000,
  stalledInterval: 10_000,
  /** Practically unlimited: a job never fails because its workers died, so deploys and kills do not lose it. */
  maxStalledCount: 1_000,
  /** ms; delay before a worker reconnects to an unreachable store. */
  runRetryDelay: 1_000,
  /** ms; poll interval for delayed jobs while the queue is paused. */
  maximumRateLimitDelay: 5_000,
  settings: { backoffStrategy: (_attempts, _type, error) => retryDelayOf(error) },
};

type AppWorkerOptions = Partial<WorkerOptions> & {
  /** ms; timeout for running jobs on close. A job cut off is detected as stalled, and runs again. */
  finishLimitMs?: number;
};

/**
 * The worker behind every `@Processor`: with connections of its own on the application's store, and closed
 * within a limit. It alone knows what a handler's errors mean: `RetryLater` runs the job again later, `PauseQueue`
 * pauses the queue, `UnrecoverableError` leaves the job failed for support. A job is retried as long as an outage lasts;
 * any other error is a defect, after ten of which the job stays failed.
 */
export class AppWorker extends Worker {
  private readonly finishLimitMs: number;
  private ending: Promise<void> | undefined;

  constructor(
    store: QueueStore,
    name: string,
    process: Processor,
    { finishLimitMs = WORK_LIMIT_MS, ...options }: AppWorkerOptions,
  ) {
    super(
      name,
      inJobSpan(translatingErrors(process, store)),
      { ...OPTIONS, ...options, connection: store.worker(options.concurrency ?? 1) },
      store.backend,
    );
    this.finishLimitMs = finishLimitMs;
    store.workers.push(this);
    store.reportErrors(this, name);
  }

  /** Takes no more jobs, waits briefly for running ones, and disconnects. */
  override close(): Promise<void> {
    this.ending ??= this.end();
    return this.ending;
  }

  private async end(): Promise<void> {
    await withTimeout(this.finishLimitMs, this.pause()).catch(() => undefined);
    await withTimeout(CLOSE_LIMIT_MS, super.close(true)).catch(() => undefined);
  }
}

/** The class for `BullModule.workerClass`: @nestjs/bullmq passes it no more than this. */
export function workerClassOn(store: QueueStore) {
  return class extends AppWorker {
    constructor(name: string, process: Processor, options: AppWorkerOptions) {
      super(store, name, process, options);
    }
  };
}

/** An unexpected error: neither an outage nor one that a handler throws on purpose. */
class Defect extends Error {
  /** @param delayMs milliseconds until the next attempt; -1 for none. */
  constructor(
    message: string,
    readonly delayMs: number,
  ) {
    super(message);
  }
}

/** The span of a run of a job; its parent is the span that added the job. */
function inJobSpan(process: Processor): Processor {
  return (job, token) =>
    inSpan(
      `process ${job.queueName} ${job.name}`,
      {
        kind: SpanKind.CONSUMER,
        parent: contextFrom(job.opts.telemetry?.metadata),
        attributes: {
          'messaging.system': 'bullmq',
          'messaging.operation.type': 'process',
          'messaging.destination.name': job.queueName,
          'messaging.message.id': job.id,
          'guias.attempt': job.attemptsStarted,
        },
        isExpected: (error) => error instanceof RetryLater || error instanceof RateLimitError,
      },
      () => process(job, token),
    );
}

function translatingErrors(process: Processor, store: QueueStore): Processor {
  // Not `attemptsMade`, which also counts retries that handlers ask for.
  const defects = new LRUCache<string, number>({ max: MAX_COUNTED });
  return async (job, token) => {
    try {
      const result = (await process(job, token)) as unknown;
      defects.delete(job.id!);
      return result;
    } catch (thrown) {
      const error = thrown instanceof PauseQueue ? await pause(store.queue(job.queueName), thrown) : thrown;
      if (error instanceof RateLimitError) throw error;
      const shown = isOurs(error) ? error : explained(error, job, defects, store.logger);
      if (!(shown instanceof Defect) || shown.delayMs < 0) defects.delete(job.id!);
      shown.stack = shown.message;
      throw shown;
    }
  };
}

/** @returns the error for which BullMQ puts the job back, or the one that prevented the pause. */
async function pause(queue: Queue, { pauseMs }: PauseQueue): Promise<unknown> {
  try {
    await pauseQueue(queue, pauseMs);
    return Worker.RateLimitError();
  } catch (error) {
    return error;
  }
}

function isOurs(error: unknown): error is RetryLater | UnrecoverableError {
  return error instanceof RetryLater || error instanceof UnrecoverableError;
}

/** Support may read our own messages, but not the text of other errors, which may hold personal data. */
function explained(error: unknown, job: Job, defects: LRUCache<string, number>, logger: Logger): Error {
  const about = { err: error, queue: job.queueName, job: job.id, name: job.name };
  if (isOutage(error)) {
    logger.warn(about, 'job will be retried: the database or the queue store is unavailable');
    return new RetryLater(
      'La base de datos o la cola no respondió; se intenta otra vez.',
      waitMs(job.attemptsMade + 1, OUTAGE_WAIT_MS),
    );
  }
  const count = (defects.get(job.id!) ?? 0) + 1;
  defects.set(job.id!, count);
  logger.error({ ...about, defects: count }, 'job failed');
  const isLast = count >= MAX_DEFECTS;
  const next = isLast ? 'fue el último intento' : 'se reintenta sola';
  return new Defect(
    `Una falla interna impidió la tarea; ${next}. Vea el registro.`,
    isLast ? -1 : waitMs(count, DEFECT_WAIT_MS),
  );
}

/** Milliseconds until the next attempt; -1 for none. */
function retryDelayOf(error: Error | undefined): number {
  // The handler succeeded, but the store did not record it: the next run finds nothing left to do.
  if (!(error instanceof RetryLater || error instanceof Defect)) return UNFINISHED_WAIT_MS;
  // Rounded up: with a fraction, the PostgreSQL backend does not delay the job, and it never runs again.
  return Math.ceil(error.delayMs);
}

const waitMs = (attempts: number, longest: number) => Math.min(1_000 * 2 ** attempts, longest);
