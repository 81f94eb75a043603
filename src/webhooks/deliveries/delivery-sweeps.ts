import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { isUuid } from '../../database/row-id.js';
import { LostJobsService } from '../../queues/lost-jobs.service.js';
import { ResolvedJobsService } from '../../queues/resolved-jobs.service.js';
import {
  resolvedDeliveries,
  nextDeliveryRound,
  overdueDeliveries,
  type OverdueDelivery,
} from './deliveries.queries.js';
import { deliveryJob, queueOf, type EntregaJob, type QueueableDelivery } from './deliveries.queue.js';

/** Milliseconds. */
const RESTORE_EVERY_MS = 10_000;

/** Keeps the queues of deliveries in line with their rows. */
@Injectable()
export class DeliverySweeps implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly lostJobs: LostJobsService,
    private readonly resolvedJobs: ResolvedJobsService,
  ) {}

  onModuleInit(): void {
    for (const lenta of [false, true]) {
      const queue = queueOf({ lenta });
      this.lostJobs.watch<OverdueDelivery>({
        what: lenta ? 'slow deliveries' : 'deliveries',
        everyMs: RESTORE_EVERY_MS,
        queue,
        overdue: (last, limit) => overdueDeliveries(lenta, last, limit),
        jobOf: (row) => deliveryJob(row),
        renew: async (lost) => {
          const { rows } = await this.database.query<QueueableDelivery>(nextDeliveryRound(lost));
          return rows.map((row) => deliveryJob(row));
        },
      });
      this.resolvedJobs.watch<EntregaJob>({
        what: lenta ? 'resolved slow deliveries' : 'resolved deliveries',
        queue,
        resolved: async (jobs) => {
          const known = jobs.filter(({ data }) => isUuid(data.webhookId) && isUuid(data.mensajeId));
          const { rows } = await this.database.query<{ n: string }>(
            resolvedDeliveries(known.map(({ data }) => data)),
          );
          return rows.map(({ n }) => known[Number(n) - 1]!.id!);
        },
      });
    }
  }
}
