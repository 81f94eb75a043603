import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { OnModuleInit } from '@nestjs/common';
import type { Job } from 'bullmq';
import { Database } from '../../database/database.js';
import { UnknownJob } from '../../queues/job-errors.js';
import { LostJobsService } from '../../queues/lost-jobs.service.js';
import { nextDeliveryRound, overdueDeliveries, type OverdueDelivery } from './deliveries.queries.js';
import { DeliveriesService } from './deliveries.service.js';
import { deliveryJob, WEBHOOKS, type EntregaEncolable, type EntregaJob } from './deliveries.queue.js';

/** Deliveries at a time: they mostly wait for answers, and each endpoint gets few of them. */
const CONCURRENCY = 100;

/** Milliseconds. */
const RESTORE_EVERY = 10_000;

@Processor(WEBHOOKS, { concurrency: CONCURRENCY })
export class DeliveriesProcessor extends WorkerHost implements OnModuleInit {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly database: Database,
    private readonly lostJobs: LostJobsService,
  ) {
    super();
  }

  onModuleInit(): void {
    this.lostJobs.watch<OverdueDelivery>({
      what: 'deliveries',
      everyMs: RESTORE_EVERY,
      queue: WEBHOOKS,
      overdue: async (last, limit) =>
        (await this.database.query<OverdueDelivery>(overdueDeliveries(last, limit))).rows,
      jobOf: (row) => deliveryJob(row),
      renew: async (lost) => {
        const { rows } = await this.database.query<EntregaEncolable>(nextDeliveryRound(lost));
        return rows.map((row) => deliveryJob(row));
      },
    });
  }

  process({ id, name, data }: Job<EntregaJob, string, 'entregar'>): Promise<string> {
    switch (name) {
      case 'entregar':
        return this.deliveries.deliver(data, id!);
      default:
        throw new UnknownJob(name);
    }
  }
}
