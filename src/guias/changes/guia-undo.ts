import { AppError } from '../../platform/errors/app-error.js';
import { UNDO_ADVERTENCIAS } from '../guia/guia-advertencia.js';
import { FINAL_ESTADOS, type GuiaEstado } from '../guia/guia-estado.js';
import type { Author } from './author.js';
import type { CurrentGuia } from './guia-changes.queries.js';
import { checkAjuste, type Ajuste, type StoredCobro } from './cobro-correction.js';
import { without } from '../guia/advertencia-rules.js';
import { standingMoves } from '../guia/standing-moves.js';
import type { TextRow } from '../../platform/database/text-row.js';
import type { Evento } from '../../platform/events/evento.entity.js';

/** Days after its recording in which a move may be taken back. */
export const UNDO_DAYS = 7;

/** Minutes between a driver's move and its undo, both as the phone said them. */
const PILOTO_UNDO_MINUTES = 5;

/** Minutes from the first recording of the move to the receipt of its undo, by our clock. */
const PILOTO_RECEIPT_MINUTES = 15;

/** A recorded change of a guide's state. Times are ISO 8601. */
export interface MoveRow extends TextRow<
  Evento,
  'tipo' | 'actor' | 'operador_id' | 'secuencia' | 'creado_en' | 'ocurrido_en'
> {
  /** The phone's own time, where another one counts. */
  dicho_en: string | null;
  /** The state that it left; null in events of the oldest versions. */
  estado_anterior: GuiaEstado | null;
}

/** When an undo was asked for. ISO 8601. */
export interface UndoTime {
  /** By our clock. */
  ahora: string;
  /** As a driver's phone said it. */
  dicho_en: string;
}

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
 * @param cobro the amount that the last move collected, a delivery; undefined if it touched none.
 * @returns `late` for a driver's own move that they may not take back any more.
 * @throws AppError `nada_que_deshacer`; `cobro_liquidado`
 */
export function decideUndo(
  author: Author,
  guia: Pick<CurrentGuia, 'estado' | 'advertencias'>,
  moves: readonly MoveRow[],
  cobro: Pick<StoredCobro, 'liquidacion_id' | 'cod_cobrado'> | undefined,
  { ahora, dicho_en }: UndoTime,
  ajuste: Ajuste = {},
): Undo | 'late' {
  const standing = standingMoves(moves);
  const last = standing.pop();
  if (!last || !['operador', 'piloto', 'soporte'].includes(last.actor) || last.estado_anterior === null)
    throw nothingToUndo('El último cambio de estado no es de la mensajería.');
  if (author.actor === 'piloto') {
    if (last.actor !== 'piloto' || last.operador_id !== author.operador_id)
      throw nothingToUndo('El último cambio de la guía no lo hizo usted.');
    if (isTooLate(last, ahora, dicho_en)) return 'late';
  } else if (Date.parse(ahora) - Date.parse(last.creado_en) > UNDO_DAYS * 86_400_000)
    throw nothingToUndo(`El último cambio de estado se registró hace más de ${UNDO_DAYS} días.`);
  if (author.actor === 'piloto' && cobro && cobro.liquidacion_id !== null) throw settledForDriver();
  checkAjuste(cobro, ajuste);
  return {
    estado: last.estado_anterior,
    estado_en: standing.map(appliedAt).reduce<string | null>(later, null),
    advertencias: without(
      guia.advertencias,
      FINAL_ESTADOS.includes(guia.estado) ? UNDO_ADVERTENCIAS : ['deshacer_tarde'],
    ),
    deshecho: last.secuencia,
  };
}

/** A phone's clock may run wrong, so both its own times and ours must be near. */
function isTooLate(last: MoveRow, ahora: string, dicho_en: string): boolean {
  const said = last.dicho_en ?? last.ocurrido_en ?? last.creado_en;
  return (
    minutesBetween(said, dicho_en) > PILOTO_UNDO_MINUTES ||
    minutesBetween(last.creado_en, ahora) > PILOTO_RECEIPT_MINUTES
  );
}

const minutesBetween = (one: string, other: string): number =>
  Math.abs(Date.parse(other) - Date.parse(one)) / 60_000;

/** The phone's time of the guide's last move, if it was this driver's. @param moves events of `MOVE_TIPOS`, in order. */
export function lastSaid(moves: readonly MoveRow[], pilotoId: string): string | undefined {
  const last = standingMoves(moves).at(-1);
  const isTheirs = last?.actor === 'piloto' && last.operador_id === pilotoId;
  return isTheirs ? (last.dicho_en ?? undefined) : undefined;
}

export function tooLate(): AppError {
  return nothingToUndo(
    `Pasaron más de ${PILOTO_UNDO_MINUTES} minutos. Avise a su bodega, que puede deshacerlo.`,
  );
}

function settledForDriver(): AppError {
  return new AppError('cobro_liquidado', {
    detail: 'Lo que cobró ya se liquidó al comercio. Avise a su bodega, que puede deshacerlo.',
  });
}

/** The answer to a driver who does not have the guide any more. */
export const notTheirs = (): AppError => nothingToUndo('La guía ya la lleva otro piloto.');

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
