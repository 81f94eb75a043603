import { AppError } from '../../errors/app-error.js';
import type { EventoActor, EventoTipo } from '../../events/evento-tipo.js';
import { UNDO_ADVERTENCIAS } from '../guia-advertencia.js';
import { FINAL_ESTADOS, type GuiaEstado } from '../guia-estado.js';
import type { Author } from './author.js';
import type { LockedGuia } from './guia-changes.queries.js';
import type { StoredCobro } from './cobro-correction.js';
import { without } from '../advertencia-rules.js';
import { standingMoves } from '../standing-moves.js';

/** Days after its recording in which a move may be taken back. */
export const UNDO_DAYS = 7;

/** Minutes after it happened in which a driver may take back a move of their own. */
const PILOTO_UNDO_MINUTES = 5;

/** A recorded change of a guide's state. Times are ISO 8601. */
export interface MoveRow {
  tipo: EventoTipo;
  actor: EventoActor;
  /** The operator or driver who reported it. */
  operador_id: string | null;
  secuencia: number;
  creado_en: string;
  /** Null where the operator did not say. */
  ocurrido_en: string | null;
  /** The state that it left; null in events of the oldest versions. */
  estado_anterior: GuiaEstado | null;
}

/** The guide as it is without its last move. */
export interface Undo {
  estado: GuiaEstado;
  /** When the guide had come to that state, ISO 8601; null if it was created in it. */
  estado_en: string | null;
  advertencias: string[];
  /** `secuencia` of the move that is taken back. */
  deshecho: number;
}

/**
 * Decides what taking back the last move of an operator or a driver restores; a pure function.
 * @param author who takes it back: a driver only their own move, soon after it.
 * @param moves all events of the guide that changed its state, in order.
 * @param cobro the amount collected with a delivery; undefined if there is none.
 * @param now when it is taken back, ISO 8601.
 * @throws AppError `nada_que_deshacer`; `cobro_liquidado`
 */
export function decideUndo(
  author: Author,
  guia: Pick<LockedGuia, 'estado' | 'advertencias'>,
  moves: readonly MoveRow[],
  cobro: StoredCobro | undefined,
  now: string,
): Undo {
  const standing = standingMoves(moves);
  const last = standing.pop();
  if (!last || !['operador', 'piloto'].includes(last.actor) || last.estado_anterior === null)
    throw nothingToUndo('El último cambio de estado no es de la mensajería.');
  if (author.actor === 'piloto') expectUndoable(author.operador_id, last, now);
  else if (Date.parse(now) - Date.parse(last.creado_en) > UNDO_DAYS * 86_400_000)
    throw nothingToUndo(`El último cambio de estado se registró hace más de ${UNDO_DAYS} días.`);
  if (cobro && cobro.liquidacion_id !== null) throw new AppError('cobro_liquidado');
  return {
    estado: last.estado_anterior,
    estado_en: standing.map(appliedAt).reduce<string | null>(later, null),
    advertencias: FINAL_ESTADOS.includes(guia.estado)
      ? without(guia.advertencias, UNDO_ADVERTENCIAS)
      : guia.advertencias,
    deshecho: last.secuencia,
  };
}

/** @throws AppError `nada_que_deshacer` */
function expectUndoable(pilotoId: string, last: MoveRow, now: string): void {
  if (last.actor !== 'piloto' || last.operador_id !== pilotoId)
    throw nothingToUndo('El último cambio de la guía no lo hizo usted.');
  if (Date.parse(now) - Date.parse(appliedAt(last)) > PILOTO_UNDO_MINUTES * 60_000)
    throw nothingToUndo(`Ya pasaron más de ${PILOTO_UNDO_MINUTES} minutos. Avise a su bodega.`);
}

/** As `guias.estado_en` takes it: not later than the recording. */
function appliedAt({ ocurrido_en, creado_en }: MoveRow): string {
  return ocurrido_en !== null && Date.parse(ocurrido_en) < Date.parse(creado_en) ? ocurrido_en : creado_en;
}

function later(one: string | null, other: string): string {
  return one !== null && Date.parse(one) > Date.parse(other) ? one : other;
}

function nothingToUndo(why: string): AppError {
  return new AppError('nada_que_deshacer', { detail: `${why} No hay nada que deshacer.` });
}
