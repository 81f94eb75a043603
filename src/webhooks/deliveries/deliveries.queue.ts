import type { NewJob } from '../../queues/new-job.js';

/**
 * First attempts, with a short timeout, to endpoints whose last answer was quick. Retries are in the other queue, so that an
 * endpoint that hangs causes no head-of-line blocking here.
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
  lenta: boolean;
  guia: string | null;
}

/** The job of a delivery. Its id contains the round: BullMQ ignores a job with the id of an ended job that it keeps. */
export function deliveryJob({
  webhook_id,
  mensaje_id,
  ronda,
  guia,
}: Omit<QueueableDelivery, 'lenta'>): NewJob<'entregar', EntregaJob> {
  return {
    id: `${webhook_id}.${mensaje_id}.${ronda}`,
    name: 'entregar',
    data: { webhookId: webhook_id, mensajeId: mensaje_id, ronda, ...(guia !== null && { guia }) },
  };
}
