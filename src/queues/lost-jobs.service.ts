import { Injectable } from '@nestjs/common';
import type { QueryConfig, QueryResultRow } from 'pg';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { InjectLogger } from '../logging/logging.module.js';
import { JobCounters } from './job-counters.js';
import type { NewJob } from './new-job.js';
import { QueuesService } from './queues.service.js';
import { SweepsService } from './sweeps.service.js';

/** Rows per query. */
const PAGE = 500;

/**
 * Consecutive rows without a lost job after which a sweep stops; the next one continues there. Looking up every job of a
 * backlog of a million would take most of the worker's time.
 */
const SEARCHED = 10_000;

/** Every tenth sweep starts at the oldest rows again: sweeping a whole backlog may take hours. */
const RESTART_EVERY = 10;

/** ms that a failed job stays on the board before its row may get a new job. */
const FAILED_MS = 600_000;

/** How to find and queue again the jobs that a queue has lost. */
export interface LostJobs<Row extends QueryResultRow> {
  /** For the log: what is queued again. */
  readonly what: string;
  /** Milliseconds between two sweeps. */
  readonly everyMs: number;
  readonly queue: string;
  /** Finds the next `limit` overdue rows after `last`, in a fixed order. */
  readonly overdue: (last: Row | undefined, limit: number) => QueryConfig;
  /** Whether a row's job belongs to this queue, if `overdue` also finds rows of other queues. Default: it does. */
  readonly isOfQueue?: (row: Row) => boolean;
  /** The job that a row should have. */
  readonly jobOf: (row: Row) => NewJob;
  /** Gives the rows new job ids and returns those jobs. Without it the same jobs are queued again. */
  readonly renew?: (lost: Row[]) => Promise<NewJob[]>;
}

/** Requeues rows that are due but have no job, because Redis was wiped or a worker died. */
@Injectable()
export class LostJobsService {
  private readonly passes = new Map<string, () => Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly queues: QueuesService,
    private readonly sweeps: SweepsService,
    private readonly counters: JobCounters,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** To be called while modules are initialised, where the queue has workers. */
  watch<Row extends QueryResultRow>(lost: LostJobs<Row>): void {
    this.passes.set(lost.queue, async () => {
      await this.pass(lost, undefined, Infinity);
    });
    let after: Row | undefined;
    let sweep = 0;
    this.sweeps.every(lost.what, lost.everyMs, async (signal) => {
      const looksAgain = sweep++ % RESTART_EVERY === 0 && after !== undefined;
      const last = await this.pass(lost, looksAgain ? undefined : after, SEARCHED, signal);
      if (!looksAgain) after = last;
    });
  }

  /** Restores all lost jobs of a queue now. */
  async restore(queue: string): Promise<void> {
    await this.passes.get(queue)?.();
  }

  /**
   * Requeues lost jobs page by page, starting after `after`. Returns the row to continue from; undefined at the end of the
   * table.
   * @param limit rows in a row without a lost job after which it stops.
   */
  private async pass<Row extends QueryResultRow>(
    jobs: LostJobs<Row>,
    after: Row | undefined,
    limit: number,
    signal?: AbortSignal,
  ): Promise<Row | undefined> {
    const { what, queue, overdue, isOfQueue = () => true, jobOf, renew } = jobs;
    let restored = 0;
    let searched = 0;
    let last = after;
    do {
      const { rows } = await this.database.query<Row>(overdue(last, PAGE));
      const own = rows.filter(isOfQueue);
      const lost = await this.queues.withoutJob(queue, own, (row) => jobOf(row).id, FAILED_MS);
      searched = lost.length > 0 ? 0 : searched + rows.length;
      if (lost.length > 0) {
        const again = renew ? await renew(lost) : lost.map(jobOf);
        await this.queues.add(queue, again);
        restored += again.length;
      }
      last = rows.length === PAGE ? rows.at(-1) : undefined;
    } while (last && searched < limit && !signal?.aborted);
    if (restored > 0) {
      this.counters.restore(queue, restored);
      this.logger.warn({ jobs: restored }, `${what} without a job were re-enqueued`);
    }
    return last;
  }
}
