import type { NewJob } from '../../queues/new-job.js';

/** Map links whose service did not answer while the guide was created. */
export const ENLACES = 'enlaces';

export interface EnlaceJob {
  comercioId: string;
  guiaId: string;
  /** Guide number: the board links to the guide. */
  guia: string;
}

/** The job for all links of a guide. */
export function expandJob(data: EnlaceJob): NewJob<'expandir', EnlaceJob> {
  return { id: data.guiaId, name: 'expandir', data };
}
