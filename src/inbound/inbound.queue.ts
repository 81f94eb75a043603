import type { NewJob } from '../queues/new-job.js';

/** What messaging apps tell us. */
export const ENTRANTES = 'entrantes';

export interface EntranteJob {
  entranteId: string;
}

export function inboundJob(entranteId: string): NewJob<'whatsapp', EntranteJob> {
  return { id: entranteId, name: 'whatsapp', data: { entranteId } };
}
