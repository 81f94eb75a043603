import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Job } from 'bullmq';
import { Database } from '../database/database.js';
import { isUuid } from '../database/row-id.js';
import { QueuesService } from '../queues/queues.service.js';
import { SweepsService } from '../queues/sweeps.service.js';
import { WATCHED_WORK, type WorkKind } from './work-kind.js';
import { findResolved } from './work.queries.js';

/** Failed jobs per query. */
const PAGE = 200;

/** Failed jobs of one sweep; the next one continues after them. */
const MAX_JOBS = 5_000;

/** Milliseconds between two sweeps of a queue. */
const EVERY_MS = 20_000;

/** Removes failed jobs whose row needs no person any more, so that the board lists only what still does. */
@Injectable()
export class ResolvedJobsService implements OnModuleInit {
  constructor(
    @Inject(WATCHED_WORK) private readonly kinds: readonly WorkKind[],
    private readonly database: Database,
    private readonly queues: QueuesService,
    private readonly sweeps: SweepsService,
  ) {}

  onModuleInit(): void {
    for (const kind of this.kinds) for (const queue of kind.queues) this.watch(kind, queue);
  }

  private watch(kind: WorkKind, queue: string): void {
    let from = 0;
    this.sweeps.every(`resolved jobs of ${queue}`, EVERY_MS, async (signal) => {
      from = await this.pass(kind, queue, from, signal);
    });
  }

  /** @returns where the next pass begins; 0 after the last job. */
  private async pass(kind: WorkKind, name: string, from: number, signal: AbortSignal): Promise<number> {
    const queue = this.queues.queue(name);
    let position = from;
    for (let seen = 0; seen < MAX_JOBS && !signal.aborted; seen += PAGE) {
      const listed = (await queue.getJobs('failed', position, position + PAGE - 1, true)) as (
        Job<object> | undefined
      )[];
      const ids = await this.resolved(
        kind,
        listed.filter((job) => job !== undefined),
      );
      for (const id of ids) {
        if (signal.aborted) return position;
        await queue.remove(id);
      }
      if (listed.length < PAGE) return 0;
      position += PAGE - ids.length;
    }
    return position;
  }

  /** The ids of those jobs that need nobody. */
  private async resolved(kind: WorkKind, jobs: Job<object>[]): Promise<string[]> {
    const types = Object.values(kind.key);
    const known = jobs
      .map(({ id, data }) => ({ id: id!, key: kind.keyOf(data), ronda: kind.roundOf?.(data) ?? null }))
      // Data of another version's jobs may be different.
      .filter(({ key }) =>
        types.every((type, n) => (type === 'uuid' ? isUuid(key[n]!) : typeof key[n] === 'string')),
      );
    if (known.length === 0) return [];
    const { rows } = await this.database.query<{ n: number }>(findResolved(kind, known));
    return rows.map(({ n }) => known[n - 1]!.id);
  }
}
