import { Injectable } from '@nestjs/common';
import type { Job } from 'bullmq';
import { QueuesService } from './queues.service.js';
import { SweepsService } from './sweeps.service.js';

/** Failed jobs per query. */
const PAGE = 200;

/** Failed jobs of one sweep; the next one continues after them. */
const MAX_JOBS = 5_000;

/** Milliseconds between two sweeps of a queue. */
const EVERY_MS = 20_000;

/** How to find failed jobs that need no person any more. */
export interface ResolvedJobs<Data> {
  /** For the log. */
  readonly what: string;
  readonly queue: string;
  /** The ids of those jobs whose row has been sent, delivered or resent since, or is no longer needed. */
  readonly resolved: (jobs: Job<Data>[]) => Promise<string[]>;
}

/** Removes failed jobs whose row needs no person any more, so that the board lists only what still does. */
@Injectable()
export class ResolvedJobsService {
  constructor(
    private readonly queues: QueuesService,
    private readonly sweeps: SweepsService,
  ) {}

  /** To be called while modules are initialised, where the queue has workers. */
  watch<Data>(jobs: ResolvedJobs<Data>): void {
    let from = 0;
    this.sweeps.every(jobs.what, EVERY_MS, async (signal) => {
      from = await this.pass(jobs, from, signal);
    });
  }

  /** @returns where the next pass begins; 0 after the last job. */
  private async pass<Data>(
    { queue: name, resolved }: ResolvedJobs<Data>,
    from: number,
    signal: AbortSignal,
  ): Promise<number> {
    const queue = this.queues.queue(name);
    let position = from;
    for (let seen = 0; seen < MAX_JOBS && !signal.aborted; seen += PAGE) {
      const listed = (await queue.getJobs('failed', position, position + PAGE - 1, true)) as (
        Job<Data> | undefined
      )[];
      const jobs = listed.filter((job) => job !== undefined);
      const ids = jobs.length === 0 ? [] : await resolved(jobs);
      for (const id of ids) {
        if (signal.aborted) return position;
        await queue.remove(id);
      }
      if (listed.length < PAGE) return 0;
      position += PAGE - ids.length;
    }
    return position;
  }
}
