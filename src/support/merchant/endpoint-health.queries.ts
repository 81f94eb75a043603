import type { QueryConfig } from 'pg';
import { textTypes } from '../../database/text-types.js';

/** Deliveries of one state that are counted at most. */
export const MAX_COUNTED = 1_000;

/** Of the last deliveries, in which the last try is looked for. */
const LOOKED_AT = 20;

/** How an endpoint's deliveries go. */
export interface EndpointHealth {
  webhook_id: string;
  /** `MAX_COUNTED` + 1 for more. */
  pendientes: number;
  fallidas: number;
  /** The last try: when (ISO 8601), HTTP status or error, and the start of the answer; null without one. */
  en: string | null;
  estado_http: number | null;
  error: string | null;
  respuesta: string | null;
  /** Why the last delivery that was not made was not. */
  causa: string | null;
}

const countOf = (estado: string) => `(select count(*)::int from (
    select from webhook_entregas e where e.webhook_id = w.id and e.estado = '${estado}' limit ${MAX_COUNTED + 1}) e)`;

const HEALTH = `select w.id as webhook_id, ${countOf('pendiente')} as pendientes, ${countOf('fallida')} as fallidas,
    i.en, i.estado_http, i.error, i.respuesta,
    (select causa from webhook_entregas e
      where e.webhook_id = w.id and e.estado in ('pendiente', 'fallida') and e.causa is not null
      order by e.mensaje_id desc limit 1) as causa
  from webhooks w
  left join lateral (
    select i.* from (
      select mensaje_id from webhook_entregas where webhook_id = w.id order by mensaje_id desc limit ${LOOKED_AT}
    ) e join webhook_intentos i on i.webhook_id = w.id and i.mensaje_id = e.mensaje_id
    order by i.en desc limit 1
  ) i on true
  where w.comercio_id = $1 and w.eliminado_en is null`;

export function healthOfEndpoints(merchantId: string): QueryConfig {
  return { text: HEALTH, values: [merchantId], types: textTypes };
}
