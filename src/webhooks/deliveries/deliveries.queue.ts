import { KEEP, type QueueDefinition } from '../../queues/queue-definition.js';
import type { NewJob } from '../../queues/queues.service.js';

export interface EntregaJob {
  webhookId: string;
  mensajeId: string;
  /** Of the delivery; a job of an earlier round does nothing. */
  ronda: number;
  /** Guide number, for people: the board links to it. */
  guia?: string;
}

/** Deliveries to merchants' endpoints. How often one is tried, and when, its row says. */
export const WEBHOOKS: QueueDefinition<'entregar', EntregaJob> = {
  name: 'webhooks',
  jobs: ['entregar'],
  options: KEEP,
};

/** A delivery to be put into the queue. */
export interface EntregaEncolable {
  webhook_id: string;
  mensaje_id: string;
  ronda: number;
  guia: string | null;
}

/** The job of a delivery; its id is another for each time it is put into the queue anew. */
export function deliveryJob(
  { webhook_id, mensaje_id, ronda, guia }: EntregaEncolable,
  isUrgent = false,
): NewJob<'entregar', EntregaJob> {
  return {
    id: `${webhook_id}.${mensaje_id}.${ronda}`,
    name: 'entregar',
    data: { webhookId: webhook_id, mensajeId: mensaje_id, ronda, ...(guia !== null && { guia }) },
    isUrgent,
  };
}
