import type { QueryConfig } from 'pg';
import { textTypes } from '../../database/text-types.js';

const BEGIN_PAUSE = `insert into pausas (proveedor, codigo, causa, desde) values ($1, $2, $3, now())
  on conflict (proveedor) do update set codigo = excluded.codigo, causa = excluded.causa
  where pausas.codigo <> excluded.codigo
  returning proveedor`;

/** Records why a provider is paused; returns a row only if it was not paused for that reason already. */
export function beginPause(proveedor: string, codigo: string, causa: string): QueryConfig {
  return { text: BEGIN_PAUSE, values: [proveedor, codigo, causa] };
}

/** A row if a provider is paused. */
export function findPause(proveedor: string): QueryConfig {
  return { text: 'select from pausas where proveedor = $1', values: [proveedor] };
}

/** A sender of messages that waits for a person. */
export interface PausedSender {
  proveedor: string;
  codigo: string;
  causa: string;
  /** ISO 8601. */
  desde: string;
  /** Messages that wait; as many as the limit of the query for that many or more. */
  esperan: number;
}

/**
 * @param proveedor the one in use: pauses of those used before no longer matter.
 * @param limit of the messages that are counted.
 */
export function pausedSenders(proveedor: string, limit: number): QueryConfig {
  const text = `select proveedor, codigo, causa, desde, (select count(*)::int from (
      select from mensajes where estado in ('pendiente', 'enviando', 'incierto') limit ${limit}) m) as esperan
    from pausas where proveedor = $1`;
  return { text, values: [proveedor], types: textTypes };
}
