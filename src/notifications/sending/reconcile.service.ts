import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../../database/database.js';
import { InjectLogger } from '../../logging/logging.module.js';
import { QueuesService } from '../../queues/queues.service.js';
import { Restore } from '../../queues/restore.js';
import { nextRound, overdueMensajes, type OverdueRow } from '../messages/messages.queries.js';
import { NOTIFICACIONES, sendJob, type MensajeJob, type MensajeJobName } from '../notifications.queue.js';

/** Milliseconds between looks. */
const EVERY_MS = 10_000;

/** Looks in the database for messages that should be on their way and are in no queue. */
@Injectable()
export class ReconcileService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private restore: Restore<OverdueRow, MensajeJobName, MensajeJob> | undefined;

  constructor(
    private readonly database: Database,
    private readonly queues: QueuesService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.restore = this.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.restore?.stop();
  }

  /** One look at all that is overdue. */
  async pass(): Promise<void> {
    await (this.restore ??= this.start()).pass();
  }

  private start(): Restore<OverdueRow, MensajeJobName, MensajeJob> {
    const restoration = {
      what: 'messages',
      everyMs: EVERY_MS,
      queue: NOTIFICACIONES,
      overdue: async (last: OverdueRow | undefined, limit: number) =>
        (await this.database.query<OverdueRow>(overdueMensajes(last, limit))).rows,
      jobOf: (mensaje: OverdueRow) => sendJob(mensaje),
      renew: async (lost: OverdueRow[]) => {
        if (lost.length > 0) await this.database.query(nextRound(lost));
        return lost.map((mensaje) => sendJob({ ...mensaje, ronda: mensaje.ronda + 1 }));
      },
    };
    return new Restore(restoration, this.queues, this.logger);
  }
}
