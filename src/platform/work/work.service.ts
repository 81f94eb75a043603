import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Database } from '../database/database.js';
import { QueuesService } from '../queues/queues.service.js';
import type { WorkKind } from './work-kind.js';
import { startAgain, type Selection } from './work.queries.js';

@Injectable()
export class WorkService {
  constructor(
    private readonly database: Database,
    private readonly queues: QueuesService,
  ) {}

  /**
   * Starts rows again, one or many: each gets the next round and a job that is due now, in place of one that waits. A single
   * one runs before all waiting jobs, because somebody waits for it.
   * @returns the rows that were chosen.
   */
  async startAgain<Row extends QueryResultRow>(
    kind: WorkKind<Row> & { readonly startAgain: string },
    selection: Selection,
  ): Promise<Row[]> {
    const { rows } = await this.database.query<Row>(startAgain(kind, selection));
    await this.enqueue(kind, rows, rows.length === 1);
    for (const queue of kind.queues) {
      const own = rows.filter((row) => kind.queueOf(row) === queue);
      const earlier = own.map((row) => kind.jobOf({ ...row, ronda: (row.ronda as number) - 1 }).id);
      if (earlier.length > 0) await this.queues.removeWaiting(queue, earlier);
    }
    return rows;
  }

  /** Adds the jobs of rows that are committed. While the queue store is away they are left to `LostJobsService`. */
  async enqueue<Row extends QueryResultRow>(
    kind: WorkKind<Row>,
    rows: Row[],
    isUrgent = false,
  ): Promise<void> {
    for (const queue of kind.queues) {
      const own = rows.filter((row) => kind.queueOf(row) === queue);
      const jobs = own.map((row) => ({ ...kind.jobOf(row), ...(isUrgent && { isUrgent }) }));
      if (jobs.length > 0) await this.queues.addOrLeave(queue, jobs);
    }
  }
}
