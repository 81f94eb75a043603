import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import { columnsOf } from '../../database/columns-of.js';
import type { Selection } from '../../work/work.queries.js';
import { PRUEBA, type WebhookEvento } from '../endpoints/webhook-evento.js';
import type { EntregaJob } from './deliveries.queue.js';
import { GIVE_UP_DAYS } from './delivery-schedule.js';
import type { DeliveryOutcome } from './delivery.client.js';
import type { EntregaEstado } from './webhook-entrega.entity.js';

/** A delivery with its message and endpoint. */
export interface DeliveryRow {
  webhook_id: string;
  mensaje_id: string;
  estado: EntregaEstado;
  intentos: number;
  ronda: number;
  lenta: boolean;
  causa: string | null;
  /** ms until the next attempt is due. */
  falta_ms: number;
  evento: WebhookEvento | typeof PRUEBA;
  guia: string | null;
  cuerpo: string;
  comercio_id: string;
  url: string;
  activo: boolean;
  lento: boolean;
  eliminado: boolean;
  secreto: number;
  secreto_anterior_hasta: Date | null;
}

/**
 * `lateral` with `offset 0` makes the planner look up each delivery by its whole key. In a plain join, without statistics, it
 * would read all deliveries of the endpoint for each.
 */
const LOAD = `select e.webhook_id, e.mensaje_id, e.estado, e.intentos, e.ronda, e.lenta, e.causa,
    extract(epoch from e.proximo_en - now())::float8 * 1000 as falta_ms, m.evento, m.guia, m.cuerpo, w.comercio_id,
    w.url, w.activo, w.lento, w.eliminado_en is not null as eliminado, w.secreto, w.secreto_anterior_hasta
  from unnest($1::uuid[], $2::uuid[]) as j (webhook_id, mensaje_id)
  cross join lateral (
    select * from webhook_entregas e where e.webhook_id = j.webhook_id and e.mensaje_id = j.mensaje_id offset 0
  ) e
  join webhook_mensajes m on m.id = e.mensaje_id
  join webhooks w on w.id = e.webhook_id`;

/** Deliveries, their messages and endpoints as they are now, in any order; no row for one that was deleted. */
export function loadDeliveries(jobs: EntregaJob[]): QueryConfig {
  return { name: 'entregas-load', text: LOAD, values: columnsOf(jobs, 'webhookId', 'mensajeId') };
}

const FAILED = `with endpoint as (
  update webhooks set lento = $13 where id = $1 and lento <> $13
), intento as (
  insert into webhook_intentos (webhook_id, mensaje_id, id, en, ms, estado_http, error, respuesta)
  values ($1, $2, $3, now() - $4::integer * interval '1 millisecond', $4, $5, $6, $7)
)
update webhook_entregas set estado = $8, intentos = $9, causa = $10, actualizado_en = now(),
  proximo_en = now() + $11::float8 * interval '1 millisecond'
where webhook_id = $1 and mensaje_id = $2 and estado <> 'entregada' and ronda = $12`;

/**
 * Records a failed attempt, and updates its delivery and endpoint. If the delivery was delivered or resent meanwhile, only
 * logs the attempt.
 */
export function settleFailed(
  { webhookId, mensajeId, ronda }: EntregaJob,
  { status, error, answer, ms }: DeliveryOutcome,
  to: {
    estado: 'pendiente' | 'fallida';
    intentos: number;
    causa: string;
    /** ms until the next attempt. */
    inMs?: number;
    /** New value of the endpoint's column; unchanged if undefined. */
    lento?: boolean;
  },
): QueryConfig {
  const { estado, intentos, causa, inMs = 0, lento } = to;
  const attempt = [v7(), ms, status, error, answer];
  const values = [webhookId, mensajeId, ...attempt, estado, intentos, causa, inMs, ronda, lento];
  return { name: 'entrega-failed', text: FAILED, values };
}

const DELIVERED = `with entregada as (
  select * from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::boolean[], $5::uuid[], $6::integer[], $7::integer[], $8::text[], $9::text[])
    as d (webhook_id, mensaje_id, intentos, lento, intento_id, ms, estado_http, respuesta, url)
), endpoint as (
  update webhooks w set lento = d.lento, falla_desde = null
  from (select webhook_id, url, bool_and(lento) as lento from entregada group by webhook_id, url) d
  where w.id = d.webhook_id and w.url = d.url and (w.lento <> d.lento or w.falla_desde is not null)
), intento as (
  insert into webhook_intentos (webhook_id, mensaje_id, id, en, ms, estado_http, respuesta)
  select webhook_id, mensaje_id, intento_id, now() - ms * interval '1 millisecond', ms, estado_http, respuesta from entregada
)
update webhook_entregas e set estado = 'entregada', intentos = d.intentos, causa = null, actualizado_en = now(),
  proximo_en = now()
from entregada d where e.webhook_id = d.webhook_id and e.mensaje_id = d.mensaje_id and e.estado <> 'entregada'`;

/** A successful attempt. */
export interface Delivered extends Pick<EntregaJob, 'webhookId' | 'mensajeId'> {
  /** Attempts of the delivery, with this one. */
  intentos: number;
  /** Whether the endpoint took longer than the timeout of quick attempts. */
  lento: boolean;
  /** That the attempt was made to. */
  url: string;
  outcome: DeliveryOutcome;
}

/**
 * Records successful attempts, whatever the round of their deliveries, and that their endpoints no longer fail. A success at a
 * URL that the endpoint no longer has does not change the endpoint.
 */
export function settleDelivered(delivered: Delivered[]): QueryConfig {
  const deliveries = columnsOf(delivered, 'webhookId', 'mensajeId', 'intentos', 'lento');
  const ids = delivered.map(() => v7());
  const outcomes = columnsOf(
    delivered.map(({ outcome }) => outcome),
    'ms',
    'status',
    'answer',
  );
  const urls = delivered.map(({ url }) => url);
  return { name: 'entregas-delivered', text: DELIVERED, values: [...deliveries, ids, ...outcomes, urls] };
}

const SLOW = `update webhook_entregas set lenta = true where webhook_id = $1 and mensaje_id = $2 and ronda = $3`;

/** Moves a delivery to the queue of slow ones. */
export function slowDelivery({ webhookId, mensajeId, ronda }: EntregaJob): QueryConfig {
  return { name: 'entrega-slow', text: SLOW, values: [webhookId, mensajeId, ronda] };
}

const REOPEN = `update webhook_entregas set estado = 'pendiente', intentos = 0, actualizado_en = now(), proximo_en = now()
  where webhook_id = $1 and mensaje_id = $2 and ronda = $3 and estado = 'fallida'`;

/** Resets a failed delivery's attempts. */
export function reopenDelivery({ webhookId, mensajeId, ronda }: EntregaJob): QueryConfig {
  return { name: 'entrega-reopen', text: REOPEN, values: [webhookId, mensajeId, ronda] };
}

const IS_GIVEN_UP = `falla_desde < now() - interval '${GIVE_UP_DAYS} days'`;

const ENDPOINT_FAILURE = `update webhooks set lento = true, falla_desde = coalesce(falla_desde, now()),
    activo = activo and not $2 and not coalesce(${IS_GIVEN_UP}, false),
    desactivado_en = case when not activo then desactivado_en when $2 or ${IS_GIVEN_UP} then now() end,
    desactivado_por = case when not activo then desactivado_por when $2 then 'respuesta_410'
      when ${IS_GIVEN_UP} then 'cinco_dias_de_fallas' end
  where id = $1 and url = $3
  returning desactivado_por`;

/**
 * Records a failed attempt at an endpoint, and disables it if it is gone (410) or has failed for five days without a success.
 * Ignores a failure at a URL that the endpoint no longer has.
 */
export function recordEndpointFailure(webhookId: string, gone: boolean, url: string): QueryConfig {
  return { name: 'webhook-fails', text: ENDPOINT_FAILURE, values: [webhookId, gone, url] };
}

const CLOSE = `update webhook_entregas set estado = 'fallida', causa = $3, actualizado_en = now()
  where webhook_id = $1 and mensaje_id = $2 and estado = 'pendiente'`;

/** Fails a pending delivery without an attempt. */
export function closeDelivery({ webhookId, mensajeId }: EntregaJob, causa: string): QueryConfig {
  return { name: 'entrega-close', text: CLOSE, values: [webhookId, mensajeId, causa] };
}

/** s; longer than the statement takes: an attempt that begins meanwhile would be made twice. */
const RELEASE_S = 10;

/**
 * SQL condition: a delivery is no test. The subquery is a value and no `exists`, so that PostgreSQL looks up the message of
 * each delivery that is read, and never reads all messages to join them.
 * @param entregas alias of the deliveries.
 */
export function isNoTest(entregas: string): string {
  return `(select m.evento from webhook_mensajes m where m.id = ${entregas}.mensaje_id) is distinct from '${PRUEBA}'`;
}

/**
 * The deliveries of messages whose id is between two, to be resent, the oldest first. Of the pending ones only those that wait
 * for a retry: the others are in flight. Leaves out tests, which tell the merchant nothing.
 */
export function deliveriesBetween(
  webhookId: string,
  range: { after: string; before: string; estados: readonly EntregaEstado[]; limit: number },
): Selection {
  const { after, before, estados, limit } = range;
  const where = `t.webhook_id = $1 and t.mensaje_id > $2 and t.mensaje_id < $3 and t.estado = any ($4) and ${isNoTest('t')}
    and (t.estado <> 'pendiente' or t.proximo_en > now() + interval '${RELEASE_S} seconds')`;
  return { where, values: [webhookId, after, before, estados], limit };
}

/** A delivery, in whatever state it is. */
export function theDelivery(webhookId: string, mensajeId: string): Selection {
  return { where: 't.webhook_id = $1 and t.mensaje_id = $2', values: [webhookId, mensajeId] };
}
