import type { QueryConfig } from 'pg';
import { textTypes } from '../database/text-types.js';

/** SQL condition: an event could not be dispatched, and is tried again. */
const PARKED = 'proximo_en is not null';

/** SQL condition: event `e` is not dispatched yet. */
export const IS_UNDISPATCHED = `(e.proximo_en is not null or exists (
  select from eventos_pendientes p where p.comercio_id = e.comercio_id and p.id = e.id))`;

/** SQL: when the event was recorded that has waited longest for its first dispatch; no row where none waits. */
const OLDEST = `select e.creado_en from (select * from eventos_pendientes order by id limit 1) p
  join eventos e on e.comercio_id = p.comercio_id and e.guia_id = p.guia_id and e.id = p.id`;

/** SQL of the number of parked events; at most `limit` are counted. */
export const countParked = (limit: number) =>
  `(select count(*)::int from (select from eventos where ${PARKED} limit ${limit}) apartado)`;

/** The age of the oldest waiting event in seconds; no row where none waits. */
export function oldestWaiting(): QueryConfig {
  return { text: `select extract(epoch from now() - creado_en)::float8 as age from (${OLDEST}) e` };
}

/** The number of waiting events; at most `limit` are counted. */
export function countWaiting(limit: number): QueryConfig {
  const text = `select count(*)::int as events from (select from eventos_pendientes limit ${limit}) waiting`;
  return { name: 'outbox-waiting', text };
}

export interface Outbox {
  /** Parked events; as many as the limit of the query for that many or more. */
  apartados: number;
  /** The oldest of the parked events, ISO 8601. */
  apartado_desde: string | null;
  /** The oldest of the others (ISO 8601), and its age. */
  pendiente_desde: string | null;
  atraso_s: number;
}

/** @param limit of the parked events that are read. */
export function outboxOf(limit: number): QueryConfig {
  const text = `select ${countParked(limit)} as apartados,
    (select min(creado_en) from (select creado_en from eventos where ${PARKED} limit ${limit}) e) as apartado_desde,
    p.creado_en as pendiente_desde, coalesce(extract(epoch from now() - p.creado_en), 0)::float8 as atraso_s
  from (select 1) one left join (${OLDEST}) p on true`;
  return { text, values: [], types: textTypes };
}

export interface ParkedEventoRow {
  id: string;
  tipo: string;
  /** Guide number; null where the guide does not exist. */
  guia: string | null;
  comercio: string | null;
  /** Whether its merchant is a test twin. */
  de_prueba: boolean;
  /** ISO 3166; of the merchant. */
  pais: string | null;
  intentos: number;
  causa: string;
  /** ISO 8601. */
  creado_en: string;
  proximo_en: string;
}

const PARKED_EVENTOS = `select e.id, e.tipo, g.guia, c.nombre as comercio, c.pais, c.prueba_de is not null as de_prueba, e.intentos, e.causa, e.creado_en, e.proximo_en
  from (select * from eventos where ${PARKED} order by proximo_en limit $1) e
  left join guias g on g.comercio_id = e.comercio_id and g.id = e.guia_id
  left join comercios c on c.id = e.comercio_id
  order by e.proximo_en`;

/** The parked events that are tried again first. */
export function parkedEventos(limit: number): QueryConfig {
  return { text: PARKED_EVENTOS, values: [limit], types: textTypes };
}
