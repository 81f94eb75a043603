import type { QueryConfig } from 'pg';
import { HIGHEST_ID } from '../../../platform/database/row-id.js';
import { textTypes } from '../../../platform/database/text-types.js';
import { isNoTest } from '../../../webhooks/deliveries/deliveries.queries.js';
import { NOT_SENT } from '../../../webhooks/deliveries/delivery-failure.js';
import type { EntregaEstado } from '../../../webhooks/deliveries/webhook-entrega.entity.js';

/** Deliveries of one state, messages or events that are counted for a line; for more the page says "más de". */
export const MAX_DELIVERIES = 1_000;

/** SQL: whether an endpoint fails, or was disabled because it failed. */
export const FAILS = `(activo and falla_desde is not null or not activo and desactivado_por not in ('comercio', 'operador'))`;

/** Last deliveries in which the last attempt is searched. */
const LOOKED_AT = 20;

/** Deliveries of one state in which the cause of a failure is searched. */
const SEARCHED = 100;

export interface EndpointHealth {
  webhook_id: string;
  /** `MAX_DELIVERIES` + 1 for more. */
  pendientes: number;
  fallidas: number;
  /** The last try: when (ISO 8601), HTTP status or error, and the start of the answer; null without one. */
  en: string | null;
  estado_http: number | null;
  error: string | null;
  respuesta: string | null;
  /** Why the last attempt of an undelivered delivery failed. */
  causa: string | null;
}

const ofState = (
  columns: string,
  estado: EntregaEstado,
  order: 'asc' | 'desc',
  limit: number,
  before?: string,
) => `(select ${columns} from webhook_entregas e
    where e.webhook_id = w.id and e.estado = '${estado}' ${before ? `and e.mensaje_id < ${before}` : ''} and ${isNoTest('e')}
    order by e.mensaje_id ${order} limit ${limit})`;

/** Above the ids of the deliveries that endpoint `w` may have been sent: later ones are not attempted. */
const END_OF_ATTEMPTS = `coalesce(primer_id(w.desactivado_en), '${HIGHEST_ID}')`;

/**
 * Counts deliveries of endpoint `w` in a state, without tests; `MAX_DELIVERIES` + 1 for more. The order makes PostgreSQL use the index: for a
 * limit alone it would scan the table.
 */
export const countOf = (estado: EntregaEstado) =>
  `(select count(*)::int from ${ofState('', estado, 'asc', MAX_DELIVERIES + 1)} e)`;

/**
 * Why the last failed attempt of endpoint `w` failed; not that a delivery to a disabled one was not attempted. Of pending
 * deliveries the oldest are searched, because they were tried first. Delivered ones are not searched, because there are many.
 */
export const LAST_CAUSE = `(select causa from (
    ${ofState('causa, actualizado_en', 'fallida', 'desc', SEARCHED, END_OF_ATTEMPTS)}
    union all
    ${ofState('causa, actualizado_en', 'pendiente', 'asc', SEARCHED)}
  ) e where causa <> '${NOT_SENT}' order by actualizado_en desc limit 1)`;

const HEALTH = `select w.id as webhook_id, ${countOf('pendiente')} as pendientes, ${countOf('fallida')} as fallidas,
    i.en, i.estado_http, i.error, i.respuesta, ${LAST_CAUSE} as causa
  from webhooks w
  left join lateral (
    select i.* from (
      select mensaje_id from webhook_entregas where webhook_id = w.id order by mensaje_id desc limit ${LOOKED_AT}
    ) e join webhook_intentos i on i.webhook_id = w.id and i.mensaje_id = e.mensaje_id
    order by i.en desc limit 1
  ) i on true
  where (w.comercio_id = $1 or w.operador_id = $1) and w.eliminado_en is null`;

/** @param ownerId of the merchant or the operator. */
export function healthOfEndpoints(ownerId: string): QueryConfig {
  return { text: HEALTH, values: [ownerId], types: textTypes };
}
