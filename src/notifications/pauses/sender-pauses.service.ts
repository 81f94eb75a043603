import { Injectable } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import type { Logger } from 'pino';
import { Database } from '../../platform/database/database.js';
import { InjectLogger } from '../../platform/logging/logging.module.js';
import { endPause, pauseQueue } from '../../platform/queues/queue-pause.js';
import { QueuesService } from '../../platform/queues/queues.service.js';
import { NOTIFICACIONES } from '../notifications.queue.js';
import type { Failure } from '../providers/messaging-provider.js';
import { beginPause, endPauseOf, endReportedPause } from './sender-pauses.queries.js';

/** Milliseconds between checks for a pause to end: not every send should cost a query. */
const LOOK_EVERY_MS = 30_000;

/** Paused providers: logged once, and reported by /readyz while the pause lasts. */
@Injectable()
export class SenderPausesService {
  /** Timestamp of the next check. */
  private lookAt = 0;

  constructor(
    private readonly database: Database,
    private readonly queues: QueuesService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Pauses the provider's queue, and records why.
   * @param pauseMs milliseconds until the provider is tried again.
   * @param isReported whether the provider reported the failure after it had accepted the message.
   */
  async begin(proveedor: string, failure: Failure, pauseMs: number, isReported = false): Promise<void> {
    // Before the insert: `end` deletes the row of a queue that is not paused.
    await pauseQueue(this.queues.queue(NOTIFICACIONES), pauseMs);
    const { rowCount } = await this.database.query(beginPause(proveedor, failure, isReported));
    // After the insert: a send in between would set the next check without having seen the row.
    this.lookAt = 0;
    const { code, message: causa } = failure;
    if (rowCount) this.logger.error({ proveedor, code, causa }, 'sender paused: messages wait, none is lost');
  }

  /**
   * Ends the pause, also if another process began it. Call after each successful send. Does nothing while the queue is
   * paused: the message was sent before the pause. A pause by report stays on record.
   */
  async end(proveedor: string): Promise<void> {
    if (Date.now() < this.lookAt) return;
    this.lookAt = Date.now() + LOOK_EVERY_MS;
    if (!(await endPause(this.queues.queue(NOTIFICACIONES)))) return;
    await this.remove(endPauseOf(proveedor));
  }

  /** Call it when a message is reported as sent while there is a pause by report. */
  async endReported(proveedor: string, mensajeId: string): Promise<void> {
    await this.remove(endReportedPause(proveedor, mensajeId));
  }

  private async remove(pause: QueryConfig): Promise<void> {
    const { rows } = await this.database.query<{ proveedor: string }>(pause);
    for (const { proveedor } of rows) this.logger.info({ proveedor }, 'sender resumed');
  }
}
