import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { QueuesService } from '../../platform/queues/queues.service.js';
import { retryFailed } from '../../platform/queues/retry-failed.js';
import { WorkService } from '../../platform/work/work.service.js';
import { failedJobIds, queueOf, type FailedMessage } from '../notifications.queue.js';
import { MESSAGES } from '../notifications.work.js';

type FailedRow = FailedMessage & { de_prueba: boolean };

const FIND = `select t.id, t.ronda, t.proveedor_id, coalesce(g.de_prueba, false) as de_prueba
  from mensajes t left join guias g on g.comercio_id = t.comercio_id and g.id = t.guia_id
  where t.id = $1 and t.estado = 'fallido' and ($2::uuid is null or t.guia_id = $2)`;

@Injectable()
export class MessageRetriesService {
  constructor(
    private readonly database: Database,
    private readonly queues: QueuesService,
    private readonly work: WorkService,
  ) {}

  /**
   * Retries the failed job of a message, as the board does. If the queues have lost it, the message gets a new one.
   * @param guiaId the guide that it must be of; any by default.
   * @returns false if there is no such message, or it has not failed, or not any more.
   */
  async retry(mensajeId: string, guiaId?: string): Promise<boolean> {
    const { rows } = await this.database.query<FailedRow>({ text: FIND, values: [mensajeId, guiaId] });
    const failed = rows[0];
    if (!failed) return false;
    const queue = this.queues.queue(queueOf(failed));
    for (const id of failedJobIds(failed)) if (await retryFailed(queue, id)) return true;
    const where = `t.id = $1 and t.estado = 'fallido'`;
    return (await this.work.startAgain(MESSAGES, { where, values: [mensajeId] })).length > 0;
  }
}
