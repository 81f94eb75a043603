import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { OnModuleInit } from '@nestjs/common';
import type { Job } from 'bullmq';
import { UnknownJob } from '../queues/job-errors.js';
import { LostJobsService } from '../queues/lost-jobs.service.js';
import { ENTRANTES, inboundJob, type EntranteJob } from './inbound.queue.js';
import { overdueEntrantes, type OverdueEntrante } from './inbound.queries.js';
import { InboundService } from './inbound.service.js';

/** Incoming messages at a time. */
const CONCURRENCY = 4;

/** Milliseconds. */
const RESTORE_EVERY_MS = 15_000;

@Processor(ENTRANTES, { concurrency: CONCURRENCY })
export class InboundProcessor extends WorkerHost implements OnModuleInit {
  constructor(
    private readonly inbound: InboundService,
    private readonly lostJobs: LostJobsService,
  ) {
    super();
  }

  onModuleInit(): void {
    this.lostJobs.watch<OverdueEntrante>({
      what: 'incoming messages',
      everyMs: RESTORE_EVERY_MS,
      queue: ENTRANTES,
      overdue: overdueEntrantes,
      jobOf: ({ id }) => inboundJob(id),
    });
  }

  process({ name, data }: Job<EntranteJob, string, 'whatsapp'>): Promise<string> {
    if (name !== 'whatsapp') throw new UnknownJob(name);
    return this.inbound.handle(data.entranteId);
  }
}
