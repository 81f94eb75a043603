import { KEEP, type QueueDefinition } from '../../queues/queue-definition.js';
import type { NewJob } from '../../queues/queues.service.js';

export interface EnlaceJob {
  comercioId: string;
  guiaId: string;
  /** Guide number, for people: the board links to it. */
  guia: string;
}

/** Map links whose service was silent while the guide was made. */
export const ENLACES: QueueDefinition<'expandir', EnlaceJob> = {
  name: 'enlaces',
  jobs: ['expandir'],
  options: KEEP,
};

/** One job for the links of a guide. */
export function expandJob(data: EnlaceJob): NewJob<'expandir', EnlaceJob> {
  return { id: data.guiaId, name: 'expandir', data };
}
