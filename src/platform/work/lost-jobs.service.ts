import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { InjectLogger } from '../logging/logging.module.js';
import { JobCounters } from '../queues/job-counters.js';
import { QueuesService } from '../queues/queues.service.js';
import { SweepsService } from '../queues/sweeps.service.js';
import { WATCHED_WORK, type WorkKind } from './work-kind.js';
import { findOverdue, startNextRound } from './work.queries.js';

/** Milliseconds between two sweeps. */
const EVERY_MS = 10_000;

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

/** Gives rows that are due but have no job a new one: Redis was wiped, or a worker died. */
@Injectable()
export class LostJobsService implements OnModuleInit {
  constructor(
    @Inject(WATCHED_WORK) private readonly kinds: readonly WorkKind[],
    private readonly database: Database,
    private readonly queues: QueuesService,
    private readonly sweeps: SweepsService,
    private readonly counters: JobCounters,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    for (const kind of this.kinds) for (const queue of kind.queues) this.watch(kind, queue);
  }

  /** Restores all lost jobs of a kind now. */
  async restore(kind: WorkKind): Promise<void> {
    for (const queue of kind.queues) await this.pass(kind, queue, undefined, Infinity);
  }

  private watch(kind: WorkKind, queue: string): void {
    let after: QueryResultRow | undefined;
    let sweep = 0;
    this.sweeps.every(`lost jobs of ${queue}`, EVERY_MS, async (signal) => {
      const looksAgain = sweep++ % RESTART_EVERY === 0 && after !== undefined;
      const last = await this.pass(kind, queue, looksAgain ? undefined : after, SEARCHED, signal);
      if (!looksAgain) after = last;
    });
  }

  /**
   * Restores lost jobs page by page, starting after `after`. Returns the row to continue from; undefined at the end of the
   * table.
   * @param limit rows in a row without a lost job after which it stops.
   */
  private async pass(
    kind: WorkKind,
    queue: string,
    after: QueryResultRow | undefined,
    limit: number,
    signal?: AbortSignal,
  ): Promise<QueryResultRow | undefined> {
    let restored = 0;
    let searched = 0;
    let last = after;
    do {
      const { rows } = await this.database.query(findOverdue(kind, last, PAGE));
      const own = rows.filter((row) => kind.queueOf(row) === queue);
      const lost = await this.queues.withoutJob(queue, own, (row) => kind.jobOf(row).id, FAILED_MS);
      searched = lost.length > 0 ? 0 : searched + rows.length;
      if (lost.length > 0) restored += await this.startNextRound(kind, queue, lost);
      last = rows.length === PAGE ? rows.at(-1) : undefined;
    } while (last && searched < limit && !signal?.aborted);
    if (restored > 0) {
      this.counters.restore(queue, restored);
      this.logger.warn({ queue, jobs: restored }, 'rows without a job were re-enqueued');
    }
    return last;
  }

  /** @returns the number of new jobs; another process may have restored some. */
  private async startNextRound(kind: WorkKind, queue: string, lost: QueryResultRow[]): Promise<number> {
    const { rows } = await this.database.query(startNextRound(kind, lost));
    await this.queues.add(
      queue,
      rows.map((row) => kind.jobOf(row)),
    );
    return rows.length;
  }
}
