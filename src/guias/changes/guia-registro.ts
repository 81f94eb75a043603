import { v7 } from 'uuid';
import { raw, sql } from '../../platform/database/sql.js';
import { NO_APLICADO_ADVERTENCIAS, type GuiaAdvertencia, type NoAplicado } from '../guia/guia-advertencia.js';
import type { GuiaEstado } from '../guia/guia-estado.js';
import { decidePin, pinOf } from '../pin/pin.js';
import { insertWrongPin, PIN, type PinRow } from '../pin/pin.queries.js';
import { quoted } from '../../platform/database/quoted.js';
import type { Courier, Staff } from './author.js';
import { checkCollected } from './collected-limit.js';
import type { Beside, GuiaScope, CurrentGuia } from './guia-changes.queries.js';
import type { Decision } from './guia-changes.service.js';
import { saveCollected } from './settled-cobro.js';
import {
  assignmentTo,
  CANCELLATION,
  MOVES,
  ofMerchant,
  repeatedBy,
  UNAPPLIED,
  type Assignment,
  type RecordedEvento,
} from './guia-context.queries.js';
import { decideMove, type Movimiento, type SaidTime } from './guia-move.js';
import { isFormerOf, noSuchPiloto } from './guia-piloto.js';
import { lastSaid, type MoveRow } from './guia-undo.js';
import { warningsLeft, type NoAplicadoRow } from './no-aplicados.js';
import { differingFromRecorded, refTaken } from './operator-ref.js';
import { clampedTime, earlier } from './piloto-clock.js';
import { staffTime } from './staff-time.js';

/** Who moves a guide. A driver moves the guides that they have; of those that they had, it is recorded alone. */
export type Mover = (Courier | Staff) & {
  scope: GuiaScope;
  /** A simulated courier needs no PIN. */
  isSimulated?: boolean;
};

export interface Registro {
  guia: string;
  id: string;
  evento: string;
  secuencia: number;
  /** The guide's state after the event; for a repeat, after the event it repeats. */
  estado: GuiaEstado;
  /** Null for an event that was not applied. */
  estado_anterior: GuiaEstado | null;
  /** False where the event was recorded and did not move the guide. */
  aplicado: boolean;
  no_aplicado?: NoAplicado;
  /** A repeat by `ref`: nothing new was recorded. */
  isDuplicate: boolean;
  /** Fields of a repeat that differ from the recorded event. */
  differing: string[];
}

/** Facts beside the guide that decide a move; each part only of the moves that it concerns. */
export interface MoveContext extends Assignment, PinRow {
  /** The event with the same `ref`. */
  repetido?: RecordedEvento | null;
  /** Of a cancellation: the last one. */
  cancelacion?: RecordedEvento | null;
  /** Of a driver's event that happened before the guide's last move. */
  movimientos: MoveRow[] | null;
  moneda: string;
  /** Whether it has an amount collected already, settled or taken back. */
  con_cobro: boolean;
  /** Null where no warning tells of any. */
  no_aplicados: NoAplicadoRow[] | null;
  /** Whether there is the driver that an operator names. */
  hay_piloto: boolean;
}

/** Null for staff, whose events have no `ref`. */
const courierOf = (by: Mover): string | null => (by.actor === 'soporte' ? null : by.operador_id);

const DELIVERY = raw(`${ofMerchant('moneda')} as moneda, ${PIN}, exists (
    select from cobros c where c.comercio_id = g.comercio_id and c.guia_id = g.id) as con_cobro,
  case when g.advertencias && array[${quoted(NO_APLICADO_ADVERTENCIAS)}] then ${UNAPPLIED} end as no_aplicados`);

/** A `MoveContext`. */
export function besideMove(by: Mover, { estado, ref, ocurrido_en, cod_cobrado, piloto }: Movimiento): Beside {
  const courierId = courierOf(by);
  return {
    ...(ref !== undefined && courierId !== null && { ref: repeatedBy(courierId, ref) }),
    ...(estado === 'cancelado' && { cancelled: CANCELLATION }),
    ...(by.actor === 'piloto' && {
      driver: sql`${assignmentTo(courierId)},
        case when coalesce(${ocurrido_en}::timestamptz, clock_timestamp()) < g.estado_en then ${raw(MOVES)} end as movimientos`,
    }),
    ...((estado === 'entregado' || cod_cobrado !== undefined) && { delivery: DELIVERY }),
    ...(piloto !== undefined && {
      named: sql`exists (select from pilotos where id = ${piloto}) as hay_piloto`,
    }),
  };
}

/**
 * Decides what an event of an operator, a driver or staff does, by a guide and what `besideMove` reads. `wrong` keeps the try of a
 * PIN alone.
 * @throws AppError as `GuiaMovesService.move`
 */
export function decideRegistro(
  by: Mover,
  reported: Movimiento,
  actual: CurrentGuia & MoveContext,
  pinKey: Buffer,
): Decision<Registro | 'wrong'> {
  const { scope: _, isSimulated = false, ...author } = by;
  const recorded = actual.repetido ?? (actual.estado === 'cancelado' ? actual.cancelacion : undefined);
  if (recorded) return { result: toRepeat(actual, recorded, reported) };
  const movimiento =
    by.actor === 'soporte'
      ? { ...reported, ocurrido_en: staffTime(reported.ocurrido_en, actual.estado_en) }
      : reported;
  checkCollected(movimiento.cod_cobrado, actual.moneda);
  const said = by.actor === 'piloto' ? saidTime(actual, by.operador_id, movimiento) : undefined;
  const evento = v7();
  const { noAplicado, columns, eventos, cobro } = decideMove(
    actual,
    movimiento,
    { id: evento, ...author },
    said,
  );
  const isDelivery = movimiento.estado === 'entregado' && !noAplicado;
  const isByPin = isDelivery && !isSimulated && actual.con_pin;
  if (isByPin) {
    const pin = decidePin(movimiento, pinOf(actual.id, pinKey), actual.fallos);
    // The try is kept: nothing else is written.
    if (pin === 'wrong')
      return { result: pin, locked: (tx) => tx.query(insertWrongPin(actual, movimiento.pin!)) };
    if (pin === 'without') columns.advertencias = withoutPin(columns.advertencias!);
  }
  if (isDelivery && actual.no_aplicados) {
    const left = actual.no_aplicados.filter(({ operador_id }) => operador_id !== courierOf(by));
    columns.advertencias = warningsLeft(columns.advertencias!, left);
  }
  if (movimiento.piloto !== undefined && by.actor !== 'piloto' && !actual.hay_piloto) throw noSuchPiloto();
  const piloto = by.actor === 'piloto' ? by.operador_id : (movimiento.piloto ?? actual.piloto_id);
  const collected = cobro && { ...cobro, at: eventos[0].ocurrido_en ?? null, piloto };
  const changesCobro = collected !== undefined && actual.con_cobro;
  return {
    result: {
      guia: actual.guia,
      id: actual.id,
      evento,
      secuencia: actual.version + 1,
      estado: noAplicado ? actual.estado : movimiento.estado,
      estado_anterior: noAplicado ? null : actual.estado,
      aplicado: !noAplicado,
      ...(noAplicado && { no_aplicado: noAplicado }),
      isDuplicate: false,
      differing: [],
    },
    write: { columns, eventos, collected: changesCobro ? undefined : collected },
    // The tries of a PIN, and a settlement, do not change the guide.
    ...((isByPin || changesCobro) && {
      locked: async (tx) => changesCobro && saveCollected(actual, collected, author, tx),
    }),
  };
}

/** The warnings of a delivery without PIN. */
export function withoutPin(advertencias: string[]): string[] {
  return [...advertencias, 'entregado_sin_pin' satisfies GuiaAdvertencia];
}

/** The time as the driver said it, and the time that counts. @throws AppError as `isFormerOf` */
function saidTime(guia: CurrentGuia & MoveContext, pilotoId: string, { ocurrido_en }: Movimiento): SaidTime {
  const isFormer = isFormerOf(pilotoId, guia, ocurrido_en);
  const { ahora, estado_en } = guia;
  const dicho_en = ocurrido_en ?? ahora;
  return {
    dicho_en,
    ocurrido_en: isFormer ? earlier(dicho_en, ahora) : clampedTime(dicho_en, { ...guia, recibido_en: ahora }),
    ultimo: lastSaid((!isFormer && guia.movimientos) || [], pilotoId) ?? estado_en,
    isFormer,
  };
}

function toRepeat(
  actual: CurrentGuia,
  { id, tipo, secuencia, ocurrido_en, datos }: RecordedEvento,
  { pin: _, sin_pin: __, pago, ...movimiento }: Movimiento,
): Registro {
  const isOfAnotherKind = tipo === 'guia.cobro_corregido' || tipo === 'guia.estado_corregido';
  if (isOfAnotherKind || datos.deshacer === true) throw refTaken();
  const aplicado = tipo !== 'guia.evento_tardio';
  const said = datos.dicho_en ?? ocurrido_en ?? undefined;
  return {
    guia: actual.guia,
    id: actual.id,
    evento: id,
    secuencia,
    estado: aplicado ? (datos.estado as GuiaEstado) : actual.estado,
    estado_anterior: (datos.estado_anterior as GuiaEstado | undefined) ?? null,
    aplicado,
    ...(!aplicado && { no_aplicado: (datos.no_aplicado as NoAplicado | undefined) ?? 'tarde' }),
    isDuplicate: true,
    differing: differingFromRecorded(
      { ...movimiento, ...(actual.cod_amount > 0 && { pago }) },
      { ...datos, ocurrido_en: said },
    ),
  };
}
