import { AppError } from '../../platform/errors/app-error.js';
import type { EventoTipo } from '../../platform/events/evento-tipo.js';
import { metresBetween } from '../../locations/distance.js';
import type { GuiaAdvertencia, NoAplicado } from '../guia/guia-advertencia.js';
import { canMove, ESTADOS, nextEstados, PILOTO_ESTADOS, type GuiaEstado } from '../guia/guia-estado.js';
import type { Motivo } from '../guia/guia-motivo.js';
import { inCash, USUAL_PAGO, type Collected, type Pago } from '../guia/pago.js';
import { NOW, type GuiaColumns, type CurrentGuia } from './guia-changes.queries.js';
import { by, type Author, type GuiaEvento } from './author.js';

/** Minutes by which an operator's clock may be slow: a legal move is late if it is older than the last by more than that. */
const SLOW_CLOCK_MINUTES = 5;

/** Metres from the destination; a delivery further away gets a warning. */
const FAR_M = 300;

export interface Movimiento {
  estado: GuiaEstado;
  motivo?: Motivo;
  nota?: string;
  lat?: number;
  lng?: number;
  /** The amount collected; with `entregado` only, and required there if an amount is due. */
  cod_cobrado?: number;
  /** How it was paid; with `entregado` only, and without effect where nothing is due. */
  pago?: Pago;
  /** Who received the parcel; with `entregado` only. */
  recibio?: string;
  /** The recipient's PIN, with `entregado`; for merchants without PIN it means nothing, like `sin_pin`. */
  pin?: string;
  /** Delivered without the PIN, for the reason in `nota`. */
  sin_pin?: boolean;
  /** The driver whose cash it is, where an operator names one; with `entregado` only. */
  piloto?: string;
  /** ISO 8601; absent: now. */
  ocurrido_en?: string;
  /** The operator's idempotency key: one event for each operator, guide and `ref`. */
  ref?: string;
}

export type MovableGuia = Pick<
  CurrentGuia,
  'estado' | 'estado_en' | 'cod_amount' | 'destino_lat' | 'destino_lng' | 'advertencias'
>;

/** The time of a driver's event. ISO 8601. */
export interface SaidTime {
  /** The phone's own time. */
  dicho_en: string;
  /** The time that counts: of a former driver's event, what was said unless that is in the future. */
  ocurrido_en: string;
  /** The guide's last move, by the same phone's time: an event before it is late. */
  ultimo: string | null;
  /** Whether the guide is not the driver's any more. */
  isFormer: boolean;
}

export interface Move {
  /** Undefined for an event that moves the guide. */
  noAplicado?: NoAplicado;
  columns: GuiaColumns;
  /** The move itself, then what follows from it. */
  eventos: [GuiaEvento, ...GuiaEvento[]];
  /** Row for `cobros`; undefined where nothing was due or collected. */
  cobro?: Collected;
}

/**
 * Decides a move; a pure function.
 * @param author whom the history names, and the event's id.
 * @param said of a driver's event.
 * @throws AppError `transicion_invalida`, which lists the legal states; `validacion` for a delivery without the amount
 *   collected, and for a reason with which a guide is picked up.
 */
export function decideMove(
  guia: MovableGuia,
  { ocurrido_en, ref, pin: _, sin_pin: __, ...sent }: Movimiento,
  author: { id: string } & Exclude<Author, { actor: 'sistema' | 'destinatario' }>,
  said?: SaidTime,
): Move {
  const movimiento = withPago(guia, sent);
  const { estado, cod_cobrado } = movimiento;
  const isLegal = canMove(guia.estado, estado);
  const last = said ? said.ultimo : guia.estado_en;
  const isLate = isOlder(said?.dicho_en ?? ocurrido_en, last, isLegal ? SLOW_CLOCK_MINUTES : 0);
  const noAplicado = said?.isFormer ? 'de_otro_piloto' : isLate ? 'tarde' : undefined;
  // What is not applied does not say which state the guide left, so neither its reason nor its state is checked.
  if (estado === 'recogido' && movimiento.motivo && guia.estado !== 'en_ruta' && !noAplicado)
    throw notFromTheRoute(guia.estado);
  if (!isLegal && !noAplicado) throw illegalMove(guia.estado, author.actor);
  const isDelivery = estado === 'entregado';
  if (isDelivery && guia.cod_amount > 0 && cod_cobrado === undefined) throw missingAmount();
  const distancia_m = isDelivery ? distanceTo(guia, movimiento) : undefined;
  if (noAplicado) {
    const codigos = warningsOf(guia, movimiento, noAplicado);
    const ofFormer = said?.isFormer && {
      no_aplicado: noAplicado,
      ...(said.dicho_en !== said.ocurrido_en && { dicho_en: said.dicho_en }),
    };
    return {
      noAplicado,
      columns: codigos.length > 0 ? { advertencias: [...guia.advertencias, ...codigos] } : {},
      eventos: [
        by(author, {
          id: author.id,
          tipo: 'guia.evento_tardio',
          ocurrido_en: said?.isFormer ? said.ocurrido_en : (said?.dicho_en ?? ocurrido_en),
          ref,
          datos: { ...movimiento, distancia_m, ...ofFormer },
        }),
      ],
    };
  }
  const at = said?.ocurrido_en ?? ocurrido_en;
  const dicho_en = said && said.dicho_en !== at ? said.dicho_en : undefined;
  return appliedMove(guia, { ...movimiento, ref, ocurrido_en: at }, author, { distancia_m, dicho_en });
}

/** A move that is applied, from whatever state; a pure function. @param details more of what the event keeps. */
export function appliedMove(
  guia: MovableGuia,
  { ocurrido_en, ref, pin: _, sin_pin: __, ...sent }: Movimiento,
  author: { id: string } & Author,
  details: { distancia_m?: number; dicho_en?: string; aplica?: string },
): Move {
  const movimiento = withPago(guia, sent);
  const { estado, cod_cobrado, pago = null } = movimiento;
  const { distancia_m } = details;
  const collected = estado === 'entregado' ? (cod_cobrado ?? 0) : undefined;
  const differs = collected !== undefined && collected !== guia.cod_amount && pago !== 'directo';
  const isFar = distancia_m !== undefined && distancia_m > FAR_M;
  const tipo: EventoTipo = estado === 'cancelado' ? 'guia.cancelada' : 'guia.estado_cambiado';
  const datos = { ...movimiento, ...details, estado_anterior: guia.estado };
  return {
    columns: {
      estado,
      estado_en: ocurrido_en ?? NOW,
      advertencias: [
        ...guia.advertencias,
        ...(differs ? ['cod_distinto' satisfies GuiaAdvertencia] : []),
        ...(isFar ? ['entrega_lejos' satisfies GuiaAdvertencia] : []),
      ],
    },
    eventos: [
      by(author, { id: author.id, tipo, ocurrido_en, ref, datos }),
      ...(differs
        ? [
            by(author, {
              tipo: 'guia.cod_distinto',
              datos: { cod_amount: guia.cod_amount, cod_cobrado: collected },
            }),
          ]
        : []),
    ],
    ...(collected !== undefined &&
      (guia.cod_amount > 0 || collected > 0) && { cobro: { cod_cobrado: collected, pago } }),
  };
}

/** A move with how the amount was paid that was due: in cash unless somebody says otherwise, and to the merchant is nothing collected. */
function withPago<M extends Pick<Movimiento, 'estado' | 'cod_cobrado' | 'pago'>>(
  { cod_amount }: Pick<MovableGuia, 'cod_amount'>,
  { pago, ...movimiento }: M,
): Omit<M, 'pago'> & Pick<Movimiento, 'pago'> {
  if (movimiento.estado !== 'entregado' || cod_amount === 0) return movimiento;
  return { ...movimiento, pago: pago ?? USUAL_PAGO, ...(pago === 'directo' && { cod_cobrado: 0 }) };
}

/** The warnings that an event brings which is not applied, without those that the guide has. */
function warningsOf(
  guia: MovableGuia,
  { estado, cod_cobrado = 0, pago }: Movimiento,
  noAplicado: NoAplicado,
): GuiaAdvertencia[] {
  const codigos: (GuiaAdvertencia | false)[] = [
    isInTheVan(guia, estado) && 'cancelada_ya_recogida',
    noAplicado === 'de_otro_piloto' && 'evento_de_otro_piloto',
    noAplicado === 'tarde' && estado === 'entregado' && inCash({ cod_cobrado, pago }) > 0 && 'entrega_tardia',
  ];
  return codigos.filter((codigo) => codigo !== false).filter((codigo) => !guia.advertencias.includes(codigo));
}

/** Whether the guide was cancelled while its parcel was picked up already. */
function isInTheVan({ estado }: MovableGuia, reported: GuiaEstado): boolean {
  return estado === 'cancelado' && reported === 'recogido';
}

function isOlder(ocurrido_en: string | undefined, estado_en: string | null, minutes: number): boolean {
  if (ocurrido_en === undefined || estado_en === null) return false;
  return Date.parse(ocurrido_en) < Date.parse(estado_en) - minutes * 60_000;
}

function distanceTo(
  { destino_lat, destino_lng }: MovableGuia,
  { lat, lng }: Pick<Movimiento, 'lat' | 'lng'>,
): number | undefined {
  if (destino_lat === null || destino_lng === null || lat === undefined || lng === undefined)
    return undefined;
  return metresBetween({ lat: destino_lat, lng: destino_lng }, { lat, lng });
}

function missingAmount(): AppError {
  const mensaje = 'Es obligatorio: la guía tiene un monto por cobrar. Si no se cobró nada, envíe 0.';
  return AppError.validation([{ campo: 'cod_cobrado', codigo: 'requerido', mensaje }]);
}

function notFromTheRoute(actual: GuiaEstado): AppError {
  const mensaje = `Con \`recogido\` solo acompaña a una guía que vuelve de \`en_ruta\`; está en \`${actual}\`.`;
  return AppError.validation([{ campo: 'motivo', codigo: 'formato', mensaje }]);
}

/** @param actor a merchant only cancels, and has to talk to the courier once the parcel is picked up. */
function illegalMove(actual: GuiaEstado, actor: Author['actor']): AppError {
  const isPickedUp = actor === 'comercio' && nextEstados(actual).length > 0;
  const mensaje = `${illegalMoveText(actual, actor)}${isPickedUp ? ' Ya se recogió: pida a la mensajería que la devuelva.' : ''}`;
  const errores = [{ campo: 'estado', codigo: 'fuera_de_rango' as const, mensaje }];
  return new AppError('transicion_invalida', { detail: mensaje, errores });
}

/** Where a guide may move to, for a person who tried another state; a driver is told the states of drivers, staff their names. */
export function illegalMoveText(actual: GuiaEstado, actor?: Author['actor']): string {
  const said = (estado: GuiaEstado) => (actor === 'soporte' ? `«${ESTADOS[estado].name}»` : estado);
  const here = actor === 'soporte' ? said(actual) : `\`${actual}\``;
  const next = nextEstados(actual);
  if (next.length === 0) return `La guía está en ${here}, un estado final: ya no cambia.`;
  const own = actor === 'piloto' ? next.filter((estado) => PILOTO_ESTADOS.includes(estado)) : next;
  return own.length === 0
    ? `La guía está en ${here}: de ahí la mueve la bodega.`
    : `La guía está en ${here}; de ahí solo puede pasar a: ${own.map(said).join(', ')}.`;
}
