import { KEEP, type QueueDefinition } from '../queues/queue-definition.js';
import type { NewJob } from '../queues/queues.service.js';

export interface MensajeJob {
  mensajeId: string;
  /** Guide number, for people: the board links to it. */
  guia?: string;
  /** Only of `informar_fallo`: it has been on the board. */
  isReported?: true;
}

export type MensajeJobName = (typeof NAMES)[number];

const NAMES = [
  /** Sends a message, if there still is a point. */
  'enviar',
  /** Shows on the board that a message the provider had taken could not be delivered; retried, it sends it again. */
  'informar_fallo',
  /** Answers in place of a recipient of the sandbox. */
  'responder_sandbox',
] as const;

/** Messages to recipients. How often one is tried, and when, the message's row says. */
export const NOTIFICACIONES: QueueDefinition<MensajeJobName, MensajeJob> = {
  name: 'notificaciones',
  jobs: NAMES,
  options: KEEP,
};

/** A message to be put into the queue. */
export interface Encolable {
  id: string;
  ronda: number;
  guia: string | null;
  tipo: string;
}

/**
 * The job that sends a message. Its id is the message's, and another for each time it is put into the queue
 * anew: while a job is kept, done or failed, BullMQ ignores a second one of the same id.
 */
export function sendJob({ id, ronda, guia, tipo }: Encolable): NewJob<MensajeJobName, MensajeJob> {
  return {
    id: ronda === 0 ? id : `${id}.${ronda}`,
    name: 'enviar',
    data: { mensajeId: id, ...(guia !== null && { guia }) },
    // Who has just written to us waits with the phone in hand.
    isUrgent: tipo !== 'confirmacion_ubicacion',
  };
}
