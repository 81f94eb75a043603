import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { Logger } from 'pino';
import { Database } from '../../database/database.js';
import { firstIdAt } from '../../database/row-id.js';
import { InjectLogger } from '../../logging/logging.module.js';
import { QueuesService } from '../../queues/queues.service.js';
import { Restore } from '../../queues/restore.js';
import { Sweep } from '../../queues/sweep.js';
import {
  forgetMessages,
  nextDeliveryRound,
  overdueDeliveries,
  type OverdueDelivery,
} from './deliveries.queries.js';
import { DeliveriesService } from './deliveries.service.js';
import { deliveryJob, WEBHOOKS, type EntregaEncolable, type EntregaJob } from './deliveries.queue.js';

/** Deliveries tried at the same time: most of their time is waiting for others, and each endpoint has few of them. */
const CONCURRENCY = 100;

/** Milliseconds between looks for deliveries whose job was lost. */
const RESTORE_MS = 10_000;

/** Days for which messages and their deliveries are kept. */
export const KEEP_DAYS = 90;

/** Milliseconds between looks for messages that are older, and how many go at once. */
const FORGET_MS = 60_000;
const FORGET_BATCH = 100;

/** Works on the queue of deliveries. */
@Injectable()
export class WebhooksProcessor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private restore: Restore<OverdueDelivery, 'entregar', EntregaJob> | undefined;
  private forget: Sweep | undefined;

  constructor(
    private readonly queues: QueuesService,
    private readonly deliveries: DeliveriesService,
    private readonly database: Database,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const entregar = (data: EntregaJob, { id }: Job) => this.deliveries.deliver(data, id!);
    this.queues.work(WEBHOOKS, { entregar }, { concurrency: CONCURRENCY });
    this.restore = new Restore(
      {
        what: 'deliveries',
        everyMs: RESTORE_MS,
        queue: WEBHOOKS,
        overdue: async (last: OverdueDelivery | undefined, limit) =>
          (await this.database.query<OverdueDelivery>(overdueDeliveries(last, limit))).rows,
        jobOf: (row) => deliveryJob(row),
        renew: async (lost) =>
          lost.length === 0
            ? []
            : (await this.database.query<EntregaEncolable>(nextDeliveryRound(lost))).rows.map((row) =>
                deliveryJob(row),
              ),
      },
      this.queues,
      this.logger,
    );
    this.forget = new Sweep('old deliveries', FORGET_MS, () => this.forgetOld(), this.logger);
  }

  /** One look at all deliveries that are overdue. */
  async restoreLost(): Promise<void> {
    await this.restore?.pass();
  }

  async forgetOld(): Promise<void> {
    const before = firstIdAt(Date.now() - KEEP_DAYS * 86_400_000);
    while ((await this.database.query(forgetMessages(before, FORGET_BATCH))).rowCount === FORGET_BATCH);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.restore?.stop(), this.forget?.stop()]);
  }
}
