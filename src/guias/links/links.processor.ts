import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { OnModuleInit } from '@nestjs/common';
import type { Job } from 'bullmq';
import { UnknownJob } from '../../queues/job-errors.js';
import { LostJobsService } from '../../queues/lost-jobs.service.js';
import { findOverdueEnlaces } from './link-expansion.queries.js';
import { LinkExpansionService } from './link-expansion.service.js';
import { ENLACES, expandJob, type EnlaceJob, type PendingEnlace } from './links.queue.js';

/** Guides at a time. */
const CONCURRENCY = 4;

/** Milliseconds. */
const RESTORE_EVERY_MS = 30_000;

@Processor(ENLACES, { concurrency: CONCURRENCY })
export class LinksProcessor extends WorkerHost implements OnModuleInit {
  constructor(
    private readonly expansion: LinkExpansionService,
    private readonly lostJobs: LostJobsService,
  ) {
    super();
  }

  onModuleInit(): void {
    this.lostJobs.watch<PendingEnlace>({
      what: 'map links',
      everyMs: RESTORE_EVERY_MS,
      queue: ENLACES,
      overdue: findOverdueEnlaces,
      jobOf: expandJob,
    });
  }

  process({ name, data, attemptsMade }: Job<EnlaceJob, string, 'expandir'>): Promise<string> {
    if (name !== 'expandir') throw new UnknownJob(name);
    return this.expansion.expand(data, attemptsMade);
  }
}
