import type { NewJob } from '../queues/new-job.js';

/** Messages to recipients. A message's row says how often, and when, sending is retried. */
export const NOTIFICACIONES = 'notificaciones';

export interface MensajeJob {
  mensajeId: string;
  /** Guide number: the board links to the guide. */
  guia?: string;
  /** Of `informar_fallo` alone: the failure has been on the board. */
  isReported?: true;
}

export type MensajeJobName =
  /** Sends a message if it is still to be sent. */
  | 'enviar'
  /** Shows on the board that an accepted message was not delivered; a retry from there sends it again. */
  | 'informar_fallo'
  /** Answers in place of the sandbox's recipient. */
  | 'responder_sandbox';

/** A message to be queued. */
export interface Encolable {
  id: string;
  ronda: number;
  guia: string | null;
  tipo: string;
}

/**
 * The job that sends a message. Its id has the round (`ronda`), because BullMQ ignores a job with the id of a
 * finished or failed one that it keeps.
 */
export function sendJob({ id, ronda, guia, tipo }: Encolable): NewJob<MensajeJobName, MensajeJob> {
  return {
    id: ronda === 0 ? id : `${id}.${ronda}`,
    name: 'enviar',
    data: { mensajeId: id, ...(guia !== null && { guia }) },
    // An answer: its recipient has just written and is waiting.
    isUrgent: tipo !== 'confirmacion_ubicacion',
  };
}
