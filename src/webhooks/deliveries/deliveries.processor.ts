import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { UnknownJob } from '../../queues/job-errors.js';
import { DeliveriesService } from './deliveries.service.js';
import { WEBHOOKS, WEBHOOKS_LENTOS, type EntregaJob } from './deliveries.queue.js';

/** Concurrent deliveries per queue; they mostly wait for responses. Enough for the slots of 25 merchants. */
const CONCURRENCY = 200;

export type DeliveryJob = Job<EntregaJob, string, 'entregar'>;

@Processor(WEBHOOKS, { concurrency: CONCURRENCY })
export class DeliveriesProcessor extends WorkerHost {
  constructor(private readonly deliveries: DeliveriesService) {
    super();
  }

  process(job: DeliveryJob): Promise<string> {
    if (job.name !== 'entregar') throw new UnknownJob(job.name);
    return this.deliveries.deliver(job);
  }
}

@Processor(WEBHOOKS_LENTOS, { concurrency: CONCURRENCY })
export class SlowDeliveriesProcessor extends DeliveriesProcessor {}
