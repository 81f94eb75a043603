import { sqlStateOf } from '../database/sqlstate.js';
import { isOutage } from '../queues/store-away.js';

type DispatchFault =
  /** The database or the queue store is unavailable: all events wait. */
  | 'store'
  /** A timeout, a lock or a deadlock: the cause may be one event, or the size of the batch. */
  | 'unclear'
  /** One event cannot be dispatched. */
  | 'event';

/** Thrown for an event type without a subscriber: a newer version may have recorded it, and will dispatch it. */
export class UnknownEvento extends Error {}

const UNCLEAR = /^(57014|55P03|40)/;

export function dispatchFault(error: unknown): DispatchFault {
  if (UNCLEAR.test(sqlStateOf(error) ?? '')) return 'unclear';
  return isOutage(error) ? 'store' : 'event';
}

/** Why an event is parked, in Spanish, for support. Without the text of the error, which may quote a phone or address. */
export function causeOf(error: unknown): string {
  if (error instanceof UnknownEvento) return 'Esta versión del servicio no conoce ese tipo de evento.';
  const state = sqlStateOf(error);
  if (state === undefined)
    return `Una falla del programa lo impide (${error instanceof Error ? error.name : typeof error}). Vea el registro.`;
  if (UNCLEAR.test(state)) return `La base de datos no terminó a tiempo (${state}).`;
  const { constraint } = error as { constraint?: string };
  return `La base de datos no acepta sus datos (${[state, constraint].filter(Boolean).join(', ')}). Vea el registro.`;
}
