import { FINAL_ESTADOS } from '../guia/guia-estado.js';
import type { CurrentGuia } from './guia-changes.queries.js';

interface AskRefusalDefinition {
  /** Spanish, for merchants, operators and support: the reason, and what to do. */
  detail: string;
  /** English, for the operator's command. */
  command: string;
}

/** Why a recipient is not asked again: the one list of reasons, by the `motivo` of the answer. */
export const ASK_REFUSALS = {
  final: {
    detail: 'La guía ya terminó: no hay nada que preguntar.',
    command: 'the guide has ended; nothing to ask',
  },
  en_ruta: {
    detail: 'El mensajero ya va en camino. Llame al destinatario.',
    command: 'the parcel is on its way; call the recipient',
  },
  en_devolucion: {
    detail: 'El paquete regresa al comercio: no hay nada que preguntar.',
    command: 'the parcel returns to the merchant; nothing to ask',
  },
  niega: {
    detail: 'El destinatario dice que el paquete no es suyo. Corrija el teléfono o espere a que confirme.',
    command: 'the recipient says that the parcel is not theirs; correct the phone',
  },
  baja: {
    detail:
      'El destinatario pidió no recibir mensajes, y no se le envía ninguno. Llámelo, o corrija el teléfono.',
    command: 'the recipient opted out; call them',
  },
  cupo: {
    detail:
      'El número ya recibió el máximo de mensajes de 24 horas. Llame al destinatario, o espere para enviar otro.',
    command: 'the number got its messages of 24 hours; call the recipient, or wait',
  },
} as const satisfies Record<string, AskRefusalDefinition>;

export type AskRefusal = keyof typeof ASK_REFUSALS;

export type PhoneRefusal = Extract<AskRefusal, 'baja' | 'cupo'>;

/** Why the guide itself forbids asking its recipient again; undefined if it does not. A confirmed address does not. */
export function askRefusal({
  estado,
  advertencias,
}: Pick<CurrentGuia, 'estado' | 'advertencias'>): AskRefusal | undefined {
  if (FINAL_ESTADOS.includes(estado)) return 'final';
  if (estado === 'en_ruta' || estado === 'en_devolucion') return estado;
  return advertencias.includes('destinatario_niega') ? 'niega' : undefined;
}
