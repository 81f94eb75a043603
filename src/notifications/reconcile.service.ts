import { Injectable, type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { InjectLogger } from '../logging/logging.module.js';
import { Queues } from '../queues/queues.service.js';
import { Sweep } from '../queues/sweep.js';
import { nextRound, overdueMensajes, type OverdueRow } from './messages.queries.js';
import { NOTIFICACIONES, sendJob, type Encolable } from './notifications.queue.js';

/** Milliseconds between passes. */
const PASS_MS = 10_000;

/** How much longer than a look the rest after it is: a large backlog is looked at, but not all the time. */
const REST = 10;

/** Messages looked at together. */
const PAGE = 500;

/**
 * Looks in the database for messages that should be on their way and are in no queue: Redis was wiped, or a
 * job was lost with its worker. The database says what must be sent; the queue is only when.
 */
@Injectable()
export class Reconcile implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private sweep: Sweep | undefined;
  private restUntil = 0;

  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.sweep = new Sweep('messages', PASS_MS, () => this.look(), this.logger);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep?.stop();
  }

  /** A look, unless the last one was so long that looking would be all this process does. */
  private async look(): Promise<void> {
    if (performance.now() < this.restUntil) return;
    const began = performance.now();
    await this.pass();
    this.restUntil = performance.now() + REST * (performance.now() - began);
  }

  /** One look at all that is overdue. */
  async pass(): Promise<void> {
    let queued = 0;
    let last: OverdueRow | undefined;
    do {
      const { rows } = await this.database.query<OverdueRow>(overdueMensajes(last, PAGE));
      const lost = await this.withoutJob(rows);
      if (lost.length > 0) {
        await this.database.query(nextRound(lost));
        await this.queues.add(
          NOTIFICACIONES,
          lost.map((mensaje) => sendJob({ ...mensaje, ronda: mensaje.ronda + 1 })),
        );
      }
      queued += lost.length;
      last = rows.length === PAGE ? rows.at(-1) : undefined;
    } while (last);
    if (queued > 0) this.logger.warn({ messages: queued }, 'messages without a job were queued again');
  }

  /** Those whose job is not in the queue, or has ended without ending the message. */
  private async withoutJob(mensajes: Encolable[]): Promise<Encolable[]> {
    const queue = this.queues.queue(NOTIFICACIONES);
    const states = await Promise.all(mensajes.map((mensaje) => queue.getJobState(sendJob(mensaje).id)));
    return mensajes.filter((_, i) => ['unknown', 'completed', 'failed'].includes(states[i]!));
  }
}
