import type { NewJob } from '../queues/new-job.js';

/** Events of messaging apps: messages of recipients, statuses of ours. */
export const ENTRANTES = 'entrantes';

export interface EntranteJob {
  entranteId: string;
}

export function inboundJob(entranteId: string): NewJob<'whatsapp', EntranteJob> {
  return { id: entranteId, name: 'whatsapp', data: { entranteId } };
}
