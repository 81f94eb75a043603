import type { EventoActor } from '../../events/evento-tipo.js';
import { OPEN_ESTADOS } from '../guia-estado.js';
import type { LockedGuia } from './guia-changes.queries.js';
import type { RequestsRow } from './guia-confirmations.queries.js';

interface AskRefusalDefinition {
  /** Spanish, for support: the reason, and what to do. */
  support: string;
  /** English, for the operator's command; none where only the console looks. */
  command?: string;
}

/** Why a recipient is not asked again: the one list of reasons. */
export const ASK_REFUSALS = {
  cerrada: {
    support: 'La dirección ya está confirmada, o la guía está cerrada: no hay nada que preguntar.',
    command: 'the address is confirmed, or the guide is closed; nothing to ask',
  },
  niega: {
    support: 'El destinatario dice que el paquete no es suyo. Corrija el teléfono o espere a que confirme.',
    command: 'the recipient says that the parcel is not theirs; correct the phone',
  },
  por_salir: {
    support: 'Ya hay un mensaje por salir; no se envió otro.',
    command: 'a message has yet to be sent; no other was made',
  },
  reciente: {
    support: 'El último salió hace un momento; espere dos minutos antes de enviar otro.',
    command: 'a message was sent a moment ago; no other was made',
  },
  baja: {
    support:
      'El destinatario pidió no recibir mensajes, y no se le envía ninguno. Llámelo, o corrija el teléfono.',
  },
  limite: {
    support:
      'El número ya recibió el máximo de mensajes de 24 horas. Llame al destinatario, o espere para enviar otro.',
  },
} as const satisfies Record<string, AskRefusalDefinition>;

/** Why the guide itself forbids it; the other reasons are its phone's. */
export type AskRefusal = Exclude<keyof typeof ASK_REFUSALS, 'baja' | 'limite'>;

/** Who asks a recipient again: an operator's command, or somebody of support. */
export type Asker = { actor: 'sistema' } | { actor: 'soporte'; usuario: string };

/** Why the recipient of a guide is not asked again; undefined if they are. */
export function askRefusal(
  guia: Pick<LockedGuia, 'estado' | 'direccion_confirmada' | 'advertencias'>,
  { espera, reciente }: RequestsRow,
  actor: EventoActor,
): AskRefusal | undefined {
  if (guia.direccion_confirmada || !OPEN_ESTADOS.includes(guia.estado)) return 'cerrada';
  if (guia.advertencias.includes('destinatario_niega')) return 'niega';
  if (espera) return 'por_salir';
  return reciente && actor === 'soporte' ? 'reciente' : undefined;
}
