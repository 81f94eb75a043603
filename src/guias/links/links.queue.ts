import type { NewJob } from '../../queues/new-job.js';

/** Map links whose service did not answer while the guide was created or changed. */
export const ENLACES = 'enlaces';

export interface EnlaceJob {
  comercioId: string;
  guiaId: string;
  /** Guide number: the board links to the guide. */
  guia: string;
}

/** A guide with links to be expanded. */
export interface PendingEnlace extends EnlaceJob {
  /** Of the event that set the newest of them: a guide whose link is changed gets another job. */
  eventoId: string;
}

/** The job for all links of a guide. */
export function expandJob({ eventoId, ...data }: PendingEnlace): NewJob<'expandir', EnlaceJob> {
  return { id: eventoId, name: 'expandir', data };
}
