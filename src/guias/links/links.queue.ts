import type { NewJob } from '../../platform/queues/new-job.js';
import { jobIdOf } from '../../platform/work/work-kind.js';
import type { GuiaKey } from '../guia/guia-key.js';
import type { Lugar } from '../guia/guia-row.js';
import type { Enlace } from './enlace.entity.js';

/** Map links whose service did not answer while the guide was created or changed. */
export const ENLACES = 'enlaces';

export interface EnlaceKey extends GuiaKey {
  lugar: Lugar;
}

export interface EnlaceOfRound extends EnlaceKey {
  /** A job of an earlier round does nothing. */
  ronda: number;
}

export interface EnlaceJob extends EnlaceOfRound {
  /** Guide number: the board links to the guide. */
  guia: string;
}

export type EnlaceJobName =
  | 'leer'
  /** Of versions that had one job for all links of a guide; each has one of its own now. */
  | 'expandir';

export interface QueueableEnlace extends Pick<
  Enlace,
  'comercio_id' | 'guia_id' | 'lugar' | 'ronda' | 'creado_en'
> {
  guia: string;
}

/**
 * The job of a link. A place's row is deleted with its link, and the next link begins at round 0 again: the time in the id
 * tells their jobs apart.
 */
export function linkJob({
  comercio_id,
  guia_id,
  lugar,
  ronda,
  creado_en,
  guia,
}: QueueableEnlace): NewJob<EnlaceJobName, EnlaceJob> {
  return {
    id: jobIdOf(`${guia_id}.${lugar}.${creado_en.getTime()}`, ronda),
    name: 'leer',
    data: { comercioId: comercio_id, guiaId: guia_id, lugar, ronda, guia },
  };
}
