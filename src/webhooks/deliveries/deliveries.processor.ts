import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { OnModuleInit } from '@nestjs/common';
import type { Job } from 'bullmq';
import { Database } from '../../database/database.js';
import { isUuid } from '../../database/row-id.js';
import { UnknownJob } from '../../queues/job-errors.js';
import { LostJobsService } from '../../queues/lost-jobs.service.js';
import { MendedJobsService } from '../../queues/mended-jobs.service.js';
import {
  mendedDeliveries,
  nextDeliveryRound,
  overdueDeliveries,
  type OverdueDelivery,
} from './deliveries.queries.js';
import { DeliveriesService } from './deliveries.service.js';
import {
  deliveryJob,
  queueOf,
  WEBHOOKS,
  WEBHOOKS_LENTOS,
  type EntregaJob,
  type QueueableDelivery,
} from './deliveries.queue.js';

/** Deliveries at a time in each queue, which mostly wait for answers: the slots of 25 merchants. */
const CONCURRENCY = 200;

const RESTORE_EVERY_MS = 10_000;

export type DeliveryJob = Job<EntregaJob, string, 'entregar'>;

@Processor(WEBHOOKS, { concurrency: CONCURRENCY })
export class DeliveriesProcessor extends WorkerHost implements OnModuleInit {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly database: Database,
    private readonly lostJobs: LostJobsService,
    private readonly mendedJobs: MendedJobsService,
  ) {
    super();
  }

  onModuleInit(): void {
    for (const lenta of [false, true]) {
      this.lostJobs.watch<OverdueDelivery>({
        what: lenta ? 'slow deliveries' : 'deliveries',
        everyMs: RESTORE_EVERY_MS,
        queue: queueOf({ lenta }),
        overdue: (last, limit) => overdueDeliveries(lenta, last, limit),
        jobOf: (row) => deliveryJob(row),
        renew: async (lost) => {
          const { rows } = await this.database.query<QueueableDelivery>(nextDeliveryRound(lost));
          return rows.map((row) => deliveryJob(row));
        },
      });
      this.mendedJobs.watch<EntregaJob>({
        what: lenta ? 'mended slow deliveries' : 'mended deliveries',
        queue: queueOf({ lenta }),
        mended: async (jobs) => {
          const known = jobs.filter(({ data }) => isUuid(data.webhookId) && isUuid(data.mensajeId));
          const { rows } = await this.database.query<{ n: string }>(
            mendedDeliveries(known.map(({ data }) => data)),
          );
          return rows.map(({ n }) => known[Number(n) - 1]!.id!);
        },
      });
    }
  }

  process(job: DeliveryJob): Promise<string> {
    return delivered(this.deliveries, job);
  }
}

@Processor(WEBHOOKS_LENTOS, { concurrency: CONCURRENCY })
export class SlowDeliveriesProcessor extends WorkerHost {
  constructor(private readonly deliveries: DeliveriesService) {
    super();
  }

  process(job: DeliveryJob): Promise<string> {
    return delivered(this.deliveries, job);
  }
}

function delivered(deliveries: DeliveriesService, job: DeliveryJob): Promise<string> {
  if (job.name !== 'entregar') throw new UnknownJob(job.name);
  return deliveries.deliver(job);
}
