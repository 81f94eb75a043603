import type { NewJob } from '../../queues/new-job.js';

/** Deliveries to merchants' endpoints. A delivery's row says how often, and when, it is retried. */
export const WEBHOOKS = 'webhooks';

export interface EntregaJob {
  webhookId: string;
  mensajeId: string;
  /** Of the delivery; a job of an earlier round does nothing. */
  ronda: number;
  /** Guide number: the board links to the guide. */
  guia?: string;
}

/** A delivery to be queued. */
export interface EntregaEncolable {
  webhook_id: string;
  mensaje_id: string;
  ronda: number;
  guia: string | null;
}

/** The job of a delivery. Its id has the round: BullMQ ignores a job with the id of an ended one that it keeps. */
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
