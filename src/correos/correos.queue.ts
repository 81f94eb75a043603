import type { NewJob } from '../platform/queues/new-job.js';
import { jobIdOf } from '../platform/work/work-kind.js';
import type { CorreoClase } from './correo.entity.js';

/** Mails to merchants. A mail's row says how often, and when, it is tried again. */
export const CORREOS = 'correos';

export interface CorreoJob {
  correoId: string;
}

export type CorreoJobName = 'enviar_correo';

export interface QueueableCorreo {
  id: string;
  ronda: number;
  clase: CorreoClase;
}

export function correoJob({ id, ronda, clase }: QueueableCorreo): NewJob<CorreoJobName, CorreoJob> {
  return {
    id: jobIdOf(id, ronda),
    name: 'enviar_correo',
    data: { correoId: id },
    // All the summaries of a morning are written at once, and nobody waits for them.
    isUrgent: clase !== 'resumen',
  };
}
