import type { NewJob } from '../../platform/queues/new-job.js';

/**
 * First attempts, with a short timeout, to endpoints whose last answer was quick. Retries are in the other queue, so that an
 * endpoint that hangs causes no head-of-line blocking here.
 */
export const WEBHOOKS = 'webhooks';

/** All other attempts: to endpoints that are new, slow or failing; retries, resent deliveries and tests. */
export const WEBHOOKS_LENTOS = 'webhooks-lentos';

export const WEBHOOK_QUEUES = [WEBHOOKS, WEBHOOKS_LENTOS];

export const queueOf = ({ lenta }: { lenta: boolean }): string => (lenta ? WEBHOOKS_LENTOS : WEBHOOKS);

export interface EndpointJob {
  webhookId: string;
}

/**
 * The job that makes the attempts of an endpoint that are due in a queue. Deliveries have no jobs of their own: their rows
 * say when they are due.
 * @param delay ms.
 */
export function endpointJob(webhookId: string, delay = 0): NewJob<'entregar_pendientes', EndpointJob> {
  return { id: webhookId, name: 'entregar_pendientes', data: { webhookId }, delay, isSingle: true };
}
