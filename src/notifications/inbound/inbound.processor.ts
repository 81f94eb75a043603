import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { UnknownJob } from '../../platform/queues/job-errors.js';
import { ENTRANTES, type EntranteJob } from './inbound.queue.js';
import { InboundService } from './inbound.service.js';

const CONCURRENCY = 4;

@Processor(ENTRANTES, { concurrency: CONCURRENCY })
export class InboundProcessor extends WorkerHost {
  constructor(private readonly inbound: InboundService) {
    super();
  }

  process({ name, data }: Job<EntranteJob, string, 'whatsapp'>): Promise<string> {
    if (name !== 'whatsapp') throw new UnknownJob(name);
    return this.inbound.handle(data.entranteId);
  }
}
