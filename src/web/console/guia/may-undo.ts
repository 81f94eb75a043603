import type { EventoActor, EventoTipo } from '../../../platform/events/evento-tipo.js';
import { UNDO_DAYS } from '../../../guias/changes/guia-undo.js';
import { isMove, standingMoves } from '../../../guias/guia/standing-moves.js';

/** As much of an event as says whether it can be taken back. */
interface Evento {
  tipo: EventoTipo;
  actor: EventoActor;
  /** ISO 8601. */
  creado_en: string;
}

/**
 * Whether support's page offers to take back the last move; `decideUndo` decides once it is pressed.
 * @param eventos all of the guide, in order.
 * @param cobro what was collected with a delivery; its `liquidacion` is null until it is settled.
 * @param now ms since 1970
 */
export function mayUndo(
  eventos: readonly Evento[],
  cobro: { liquidacion: string | null } | undefined,
  now: number,
): boolean {
  const last = standingMoves(eventos.filter(isMove)).at(-1);
  if (!last || last.tipo === 'guia.cancelada' || !['operador', 'piloto', 'soporte'].includes(last.actor))
    return false;
  return now - Date.parse(last.creado_en) <= UNDO_DAYS * 86_400_000 && (cobro?.liquidacion ?? null) === null;
}
