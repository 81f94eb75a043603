import type { WorkKind } from '../../work/work-kind.js';
import {
  deliveryJob,
  queueOf,
  WEBHOOKS,
  WEBHOOKS_LENTOS,
  type EntregaJob,
  type QueueableDelivery,
} from './deliveries.queue.js';

/** Deliveries of messages to merchants' endpoints. */
export const DELIVERIES: WorkKind<QueueableDelivery, EntregaJob> & { startAgain: string } = {
  table: 'webhook_entregas',
  key: { webhook_id: 'uuid', mensaje_id: 'uuid' },
  hasWork: `t.estado = 'pendiente'`,
  dueAt: 'proximo_en',
  needsPerson: `t.estado <> 'entregada'
    and exists (select from webhooks w where w.id = t.webhook_id and w.eliminado_en is null)`,
  columns: `t.webhook_id, t.mensaje_id, t.ronda, t.lenta,
    (select m.guia from webhook_mensajes m where m.id = t.mensaje_id) as guia`,
  startAgain: `estado = 'pendiente', intentos = 0, lenta = true, causa = null, actualizado_en = now()`,
  queues: { [WEBHOOKS]: 'not t.lenta', [WEBHOOKS_LENTOS]: 't.lenta' },
  queueOf,
  jobOf: deliveryJob,
  keyOf: ({ webhookId, mensajeId }) => [webhookId, mensajeId],
  roundOf: ({ ronda }) => ronda,
};
