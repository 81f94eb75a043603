import { KEEP, type QueueDefinition } from '../queues/queue-definition.js';
import type { NewJob } from '../queues/queues.service.js';

export interface EntranteJob {
  entranteId: string;
}

/** What messaging apps tell us. */
export const ENTRANTES: QueueDefinition<'whatsapp', EntranteJob> = {
  name: 'entrantes',
  jobs: ['whatsapp'],
  options: KEEP,
};

export function inboundJob(entranteId: string): NewJob<'whatsapp', EntranteJob> {
  return { id: entranteId, name: 'whatsapp', data: { entranteId } };
}
