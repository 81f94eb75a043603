import { v5 } from 'uuid';
import type { NewJob } from '../platform/queues/new-job.js';
import { jobIdOf } from '../platform/work/work-kind.js';
import { startsConversation, type MensajeTipo } from './providers/messaging-provider.js';

/** Messages to recipients. A message's row says how often, and when, sending is retried. */
export const NOTIFICACIONES = 'notificaciones';

/**
 * Messages of test guides. Apart from real ones, so that a provider's pause does not hold them up, and those that are meant to
 * fail do not appear among the failures of real ones.
 */
export const NOTIFICACIONES_PRUEBA = 'notificaciones-prueba';

export const queueOf = ({ de_prueba }: { de_prueba: boolean }): string =>
  de_prueba ? NOTIFICACIONES_PRUEBA : NOTIFICACIONES;

export interface MensajeJob {
  mensajeId: string;
  /** Guide number: the board links to the guide. */
  guia?: string;
  /** Only of `informar_fallo`: the job has failed once, and so been on the board. */
  isReported?: true;
}

export type MensajeJobName =
  /** Sends a message if it is still to be sent. */
  | 'enviar'
  /** Shows on the board that an accepted message was not delivered; a retry from there sends it again. */
  | 'informar_fallo'
  /** Answers in place of the sandbox's recipient. */
  | 'responder_sandbox';

export interface QueueableMessage {
  id: string;
  ronda: number;
  guia: string | null;
  tipo: MensajeTipo;
  de_prueba: boolean;
}

export function sendJob({
  id,
  ronda,
  guia,
  tipo,
}: Omit<QueueableMessage, 'de_prueba'>): NewJob<MensajeJobName, MensajeJob> {
  return {
    id: jobIdOf(id, ronda),
    name: 'enviar',
    data: jobDataOf({ id, guia }),
    // An answer: its recipient has just written and is waiting.
    isUrgent: !startsConversation(tipo),
  };
}

/** The id of the job that shows a failure which the provider reported of an accepted message. */
export const failureJobId = (id: string, proveedorId: string): string => `${id}.fallo.${v5(proveedorId, id)}`;

/** A message that may have failed. */
export interface FailedMessage {
  id: string;
  ronda: number;
  /** The provider's own id of it; null where it was never accepted. */
  proveedor_id: string | null;
}

/** The ids that the failed job of a message may have, the likeliest first. */
export function failedJobIds({ id, ronda, proveedor_id }: FailedMessage): string[] {
  return [...(proveedor_id === null ? [] : [failureJobId(id, proveedor_id)]), jobIdOf(id, ronda)];
}

export function jobDataOf({ id, guia }: Pick<QueueableMessage, 'id' | 'guia'>): MensajeJob {
  return { mensajeId: id, ...(guia !== null && { guia }) };
}
