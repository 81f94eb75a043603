import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { UnknownJob } from '../../platform/queues/job-errors.js';
import { DeliveriesService } from './deliveries.service.js';
import { WEBHOOKS, WEBHOOKS_LENTOS, type EndpointJob } from './deliveries.queue.js';

/** Endpoints that are delivered to at a time per queue: all of 25 merchants. Their jobs mostly wait for responses. */
const CONCURRENCY = 500;

@Processor(WEBHOOKS, { concurrency: CONCURRENCY })
export class DeliveriesProcessor extends WorkerHost {
  constructor(private readonly deliveries: DeliveriesService) {
    super();
  }

  /** `entregar` is a job of one delivery, which an earlier version added. */
  async process({
    name,
    data: { webhookId },
    queueName,
  }: Job<EndpointJob, void, 'entregar_pendientes' | 'entregar'>): Promise<void> {
    switch (name) {
      case 'entregar_pendientes':
        return this.deliveries.deliverDue(webhookId, queueName, () => this.worker.isPaused());
      case 'entregar':
        return this.deliveries.wake(queueName, webhookId);
      default:
        throw new UnknownJob(name);
    }
  }
}

@Processor(WEBHOOKS_LENTOS, { concurrency: CONCURRENCY })
export class SlowDeliveriesProcessor extends DeliveriesProcessor {}
