import type { CountryCode } from 'libphonenumber-js';
import type { QueryConfig } from 'pg';
import { textTypes } from '../../../platform/database/text-types.js';
import { countOf, FAILS, LAST_CAUSE } from '../accounts/endpoint-health.queries.js';

/** Rows of a section that are counted; for more rows the page says "más de". */
export const MAX_ROWS = 100;

const LIMIT = MAX_ROWS + 1;

/** An endpoint that fails to accept its deliveries. */
export interface FailingEndpoint {
  id: string;
  /** Null for an operator's; then `operador_id` is set. */
  comercio_id: string | null;
  operador_id: string | null;
  titular: string;
  pais: CountryCode | null;
  /** Its whole URL, which may hold a secret. */
  url: string;
  activo: boolean;
  /** First failure, or when it was disabled; ISO 8601. */
  desde: string;
  /** Of the last failed attempt of an undelivered delivery. */
  causa: string | null;
  /** Deliveries that wait for a retry or failed; above `MAX_DELIVERIES` for more. */
  sin_entregar: number;
}

const FAILING = `select w.id, w.comercio_id, w.operador_id, coalesce(c.nombre, o.nombre) as titular, c.pais, w.url, w.activo,
    coalesce(w.falla_desde, w.desactivado_en) as desde, ${LAST_CAUSE} as causa,
    ${countOf('pendiente')} + ${countOf('fallida')} as sin_entregar
  from (
    select * from webhooks where eliminado_en is null
      and (operador_id is not null or comercio_id in (select id from comercios where prueba_de is null))
      and ${FAILS}
    order by coalesce(falla_desde, desactivado_en) limit ${LIMIT}
  ) w
  left join comercios c on c.id = w.comercio_id
  left join operadores o on o.id = w.operador_id
  order by desde`;

/** The endpoints that fail, or were disabled because they failed; the longest failure first. */
export function failingEndpoints(): QueryConfig {
  return { text: FAILING, values: [], types: textTypes };
}

/** A driver's refused action that they have not read for an hour. */
export interface UnreadRefusals {
  nombre: string;
  rechazos: number;
  /** The oldest, ISO 8601. */
  desde: string;
  /** Numbers or ids, as the phone sent them. */
  guias: string[];
}

const UNREAD = `select p.nombre, count(*)::int as rechazos, min(r.creado_en) as desde, array_agg(distinct r.guia) as guias
  from piloto_rechazos r join pilotos p on p.id = r.piloto_id
  where r.entendido_en is null and r.creado_en between now() - interval '7 days' and now() - interval '1 hour'
  group by p.id order by desde limit ${LIMIT}`;

/** Drivers who have not read what was refused; the longest ago first. */
export function unreadRefusals(): QueryConfig {
  return { text: UNREAD, values: [], types: textTypes };
}

/** How many guides are on their way, and how many were delivered today. */
export type DayCounts = Record<'en_ruta' | 'entregadas', number>;

/** Merchant by merchant: each index begins with it. */
const DAY = `select coalesce(sum((select count(*) from guias where comercio_id = c.id and estado = 'en_ruta')), 0)::int as en_ruta,
    coalesce(sum((select count(*) from guias where comercio_id = c.id and actualizada_en >= $1 and estado_en >= $1
      and estado = 'entregado')), 0)::int as entregadas
  from comercios c where c.prueba_de is null`;

/** @param since when the day began. */
export const dayCounts = (since: Date): QueryConfig => ({ text: DAY, values: [since] });

const LIVE_GUIA = `select from comercios c cross join lateral (select from guias where comercio_id = c.id limit 1) g
  where c.prueba_de is null limit 1`;

export function liveGuia(): QueryConfig {
  return { text: LIVE_GUIA, values: [] };
}
