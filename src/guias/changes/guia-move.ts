import { AppError } from '../../errors/app-error.js';
import type { EventoTipo } from '../../events/evento-tipo.js';
import { metresBetween } from '../../locations/distance.js';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import { canMove, nextEstados, PILOTO_ESTADOS, type GuiaEstado } from '../guia-estado.js';
import type { Motivo } from '../guia-motivo.js';
import { NOW, type GuiaColumns, type LockedGuia } from './guia-changes.queries.js';
import { by, type Courier, type GuiaEvento } from './author.js';

/** Minutes by which an operator's clock may be slow: a legal move is late if it is older than the last by more than that. */
const SLOW_CLOCK_MINUTES = 5;

/** Metres from the destination; a delivery further away gets a warning. */
const FAR_M = 300;

/** A move as reported by an operator or a merchant. */
export interface Movimiento {
  /** The state the guide moved to. */
  estado: GuiaEstado;
  motivo?: Motivo;
  nota?: string;
  /** Where it happened. */
  lat?: number;
  lng?: number;
  /** The amount collected; with `entregado` only, and required there if an amount is due. */
  cod_cobrado?: number;
  /** Who received the parcel; with `entregado` only. */
  recibio?: string;
  /** The recipient's PIN, with `entregado`; for merchants without PIN it means nothing, like `sin_pin`. */
  pin?: string;
  /** Delivered without the PIN, for the reason in `nota`. */
  sin_pin?: boolean;
  /** ISO 8601; absent: now. */
  ocurrido_en?: string;
  /** The operator's idempotency key: one event for each operator, guide and `ref`. */
  ref?: string;
}

/** The columns of a guide that decide a move. */
export type MovableGuia = Pick<
  LockedGuia,
  'estado' | 'estado_en' | 'cod_amount' | 'destino_lat' | 'destino_lng' | 'advertencias'
>;

/** The effect of a move. */
export interface Move {
  /** A move with a later time was already applied: the event is recorded, and does not move the guide. */
  isLate: boolean;
  columns: GuiaColumns;
  /** The move itself, then what follows from it. */
  eventos: [GuiaEvento, ...GuiaEvento[]];
  /** The amount to be recorded in `cobros`; undefined where nothing was due or collected. */
  cod_cobrado?: number;
}

/**
 * Decides a move; a pure function.
 * @param author whom the history names, and the event's id.
 * @throws AppError `transicion_invalida`, which lists the legal states; `validacion` for a delivery without the amount
 *   collected, and for a reason with which a guide is picked up.
 */
export function decideMove(
  guia: MovableGuia,
  { ocurrido_en, ref, pin: _, sin_pin: __, ...movimiento }: Movimiento,
  author: { id: string } & ({ actor: 'comercio' } | Courier),
): Move {
  const { estado, cod_cobrado } = movimiento;
  const isLegal = canMove(guia.estado, estado);
  const isLate = isOlder(ocurrido_en, guia.estado_en, isLegal ? SLOW_CLOCK_MINUTES : 0);
  // A late event does not say which state the guide left, so its reason is not checked.
  if (estado === 'recogido' && movimiento.motivo && guia.estado !== 'en_ruta' && !isLate)
    throw notFromTheRoute(guia.estado);
  if (!isLegal && !isLate) throw illegalMove(guia.estado, author.actor);
  const isDelivery = estado === 'entregado';
  if (isDelivery && guia.cod_amount > 0 && cod_cobrado === undefined) throw missingAmount();
  const distancia_m = isDelivery ? distanceTo(guia, movimiento) : undefined;
  const moved = (tipo: EventoTipo, datos: GuiaEvento['datos']): GuiaEvento =>
    by(author, { id: author.id, tipo, ocurrido_en, ref, datos });
  if (isLate)
    return {
      isLate,
      columns: isInTheVan(guia, estado)
        ? { advertencias: [...guia.advertencias, 'cancelada_ya_recogida' satisfies GuiaAdvertencia] }
        : {},
      eventos: [moved('guia.evento_tardio', { ...movimiento, distancia_m })],
    };
  const collected = isDelivery ? (cod_cobrado ?? 0) : undefined;
  const differs = collected !== undefined && collected !== guia.cod_amount;
  const isFar = distancia_m !== undefined && distancia_m > FAR_M;
  const tipo: EventoTipo = estado === 'cancelado' ? 'guia.cancelada' : 'guia.estado_cambiado';
  const datos = { ...movimiento, distancia_m, estado_anterior: guia.estado };
  return {
    isLate,
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
      moved(tipo, datos),
      ...(differs
        ? [
            by(author, {
              tipo: 'guia.cod_distinto',
              datos: { cod_amount: guia.cod_amount, cod_cobrado: collected },
            }),
          ]
        : []),
    ],
    ...(collected !== undefined && (guia.cod_amount > 0 || collected > 0) && { cod_cobrado: collected }),
  };
}

/** Whether the guide was cancelled while its parcel was picked up already. */
function isInTheVan({ estado, advertencias }: MovableGuia, reported: GuiaEstado): boolean {
  return estado === 'cancelado' && reported === 'recogido' && !advertencias.includes('cancelada_ya_recogida');
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
function illegalMove(actual: GuiaEstado, actor: 'comercio' | Courier['actor']): AppError {
  const isPickedUp = actor === 'comercio' && nextEstados(actual).length > 0;
  const mensaje = `${illegalMoveText(actual, actor)}${isPickedUp ? ' Ya se recogió: pida a la mensajería que la devuelva.' : ''}`;
  const errores = [{ campo: 'estado', codigo: 'fuera_de_rango' as const, mensaje }];
  return new AppError('transicion_invalida', { detail: mensaje, errores });
}

/** Where a guide may move to, for a person who tried another state; a driver is told the states of drivers. */
export function illegalMoveText(actual: GuiaEstado, actor?: 'comercio' | Courier['actor']): string {
  const next = nextEstados(actual);
  if (next.length === 0) return `La guía está en \`${actual}\`, un estado final: ya no cambia.`;
  const own = actor === 'piloto' ? next.filter((estado) => PILOTO_ESTADOS.includes(estado)) : next;
  return own.length === 0
    ? `La guía está en \`${actual}\`: de ahí la mueve la bodega.`
    : `La guía está en \`${actual}\`; de ahí solo puede pasar a: ${own.join(', ')}.`;
}
