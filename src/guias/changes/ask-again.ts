import type { EventoActor } from '../../events/evento-tipo.js';
import { OPEN_ESTADOS } from '../guia-estado.js';
import type { LockedGuia } from './guia-changes.queries.js';
import type { RequestsRow } from './guia-confirmations.queries.js';

/** Why a recipient is not asked again. */
export type AskRefusal =
  /** Confirmed or closed: there is nothing to ask. */
  | 'cerrada'
  /** The recipient said that the parcel is not theirs. */
  | 'niega'
  /** A message to the guide's phone has yet to be sent. */
  | 'por_salir'
  /** Support asks less than `RESEND_MINUTES` after one was sent. */
  | 'reciente';

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
