import type { NewJob } from '../../platform/queues/new-job.js';
import { jobIdOf } from '../../platform/work/work-kind.js';

/** Events of messaging apps: messages of recipients, statuses of ours. */
export const ENTRANTES = 'entrantes';

export interface EntranteJob {
  entranteId: string;
}

export interface QueueableEntrante {
  id: string;
  ronda: number;
}

export function inboundJob({ id, ronda }: QueueableEntrante): NewJob<'whatsapp', EntranteJob> {
  return { id: jobIdOf(id, ronda), name: 'whatsapp', data: { entranteId: id } };
}
