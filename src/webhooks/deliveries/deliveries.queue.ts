import type { NewJob } from '../../queues/new-job.js';

/**
 * The first attempt of a delivery, with a short timeout, to an endpoint that last answered quickly. A delivery that
 * is not made then goes on in the other queue, so here endpoints that hang are not waited for.
 */
export const WEBHOOKS = 'webhooks';

/** All other attempts: to endpoints that are new, slow or failing; retries, resent deliveries and tests. */
export const WEBHOOKS_LENTOS = 'webhooks-lentos';

/** The queue that a delivery's job is in. */
export const queueOf = ({ lenta }: { lenta: boolean }): string => (lenta ? WEBHOOKS_LENTOS : WEBHOOKS);

export interface EntregaJob {
  webhookId: string;
  mensajeId: string;
  /** Of the delivery; a job of an earlier round does nothing. */
  ronda: number;
  /** Guide number: the board links to the guide. */
  guia?: string;
}

/** A delivery to be queued. */
export interface QueueableDelivery {
  webhook_id: string;
  mensaje_id: string;
  ronda: number;
  guia: string | null;
}

/** The job of a delivery. Its id has the round: BullMQ ignores a job with the id of an ended one that it keeps. */
export function deliveryJob(
  { webhook_id, mensaje_id, ronda, guia }: QueueableDelivery,
  isUrgent = false,
): NewJob<'entregar', EntregaJob> {
  return {
    id: `${webhook_id}.${mensaje_id}.${ronda}`,
    name: 'entregar',
    data: { webhookId: webhook_id, mensajeId: mensaje_id, ronda, ...(guia !== null && { guia }) },
    isUrgent,
  };
}
