import type { QueryConfig } from 'pg';
import { empty, raw, sql, statement, type Sql } from '../../platform/database/sql.js';
import { unnest } from '../../platform/database/unnest.js';
import { v7 } from 'uuid';
import { keepDisabled } from '../../correos/avisos/avisos.queries.js';
import { columnsOf } from '../../platform/database/columns-of.js';
import { PRUEBA } from '../endpoints/webhook-evento.js';
import { GIVE_UP_DAYS } from './delivery-schedule.js';
import type { DeliveryOutcome } from './delivery.client.js';
import type { EntregaEstado, WebhookEntrega } from './webhook-entrega.entity.js';
import type { WebhookMensaje } from './webhook-mensaje.entity.js';
import type { Webhook } from '../endpoints/webhook.entity.js';

/** An endpoint as it is now. */
interface EndpointRow extends Pick<
  Webhook,
  'url' | 'activo' | 'lento' | 'secreto' | 'secreto_anterior_hasta'
> {
  /** Id of the merchant or the operator. */
  titular: string;
  de_operador: boolean;
  eliminado: boolean;
}

/** A delivery that is due, with its endpoint. */
export interface DueRow
  extends
    EndpointRow,
    Pick<WebhookEntrega, 'mensaje_id' | 'intentos' | 'ronda'>,
    Pick<WebhookMensaje, 'evento'> {
  /** Null if its message is no longer kept. */
  cuerpo: string | null;
}

/** The endpoint alone, if no delivery is due. */
export interface IdleRow extends EndpointRow {
  mensaje_id: null;
  /** When the next one is due, in ms since 1970, and in how many ms; null if none is pending. */
  proximo_ms: number | null;
  falta_ms: number | null;
}

/** SQL condition: a delivery of endpoint $1 waits in the queue that $2 says. */
const WAITS = `webhook_id = $1 and estado = 'pendiente' and lenta = $2`;

/** `lateral` with `offset 0` makes the planner look up each message by its id: without statistics it would read all of them. */
const DUE = `select coalesce(w.comercio_id, w.operador_id) as titular, w.operador_id is not null as de_operador,
    w.url, w.activo, w.lento, w.eliminado_en is not null as eliminado, w.secreto,
    w.secreto_anterior_hasta, e.mensaje_id, e.intentos, e.ronda, m.evento, m.cuerpo,
    extract(epoch from p.proximo_en)::float8 * 1000 as proximo_ms,
    extract(epoch from p.proximo_en - now())::float8 * 1000 as falta_ms
  from webhooks w
  left join lateral (
    select mensaje_id, intentos, ronda, proximo_en from webhook_entregas
    where ${WAITS} and proximo_en <= now() order by proximo_en, mensaje_id limit $3
  ) e on true
  left join lateral (
    select evento, cuerpo from webhook_mensajes where id = e.mensaje_id offset 0
  ) m on e.mensaje_id is not null
  left join lateral (
    select min(proximo_en) as proximo_en from webhook_entregas where ${WAITS} and proximo_en > now() offset 0
  ) p on e.mensaje_id is null
  where w.id = $1 order by e.proximo_en, e.mensaje_id`;

/** An endpoint's deliveries that are due, the earliest first, as `DueRow`; without any, one `IdleRow`. */
export function dueDeliveries(webhookId: string, lenta: boolean, limit: number): QueryConfig {
  return { name: 'entregas-due', text: DUE, values: [webhookId, lenta, limit] };
}

const NEXT = `select extract(epoch from min(proximo_en) - now())::float8 * 1000 as falta_ms
  from webhook_entregas where ${WAITS}`;

/** In how many ms the next delivery of an endpoint is due; null if none is pending. */
export function nextDelivery(webhookId: string, lenta: boolean): QueryConfig {
  return { name: 'entregas-next', text: NEXT, values: [webhookId, lenta] };
}

const SETTLED_TYPES = {
  webhook_id: 'uuid',
  mensaje_id: 'uuid',
  ronda: 'integer',
  estado: 'text',
  intentos: 'integer',
  causa: 'text',
  en_ms: 'float8',
  lento: 'boolean',
  url: 'text',
  intento_id: 'uuid',
  ms: 'integer',
  estado_http: 'integer',
  error: 'text',
  respuesta: 'text',
};

/** An attempt, and the state of its delivery after it. */
export interface Settled extends Pick<
  WebhookEntrega,
  'webhook_id' | 'mensaje_id' | 'ronda' | 'estado' | 'intentos'
> {
  causa?: string;
  /** ms until the next attempt. Default: 0. */
  en_ms?: number;
  /** New value of the endpoint's column. Default: unchanged. */
  lento?: boolean;
  /** That the attempt was made to. */
  url: string;
  outcome: DeliveryOutcome;
}

/**
 * Records attempts, and updates their deliveries and endpoints. A success counts whatever the round of its delivery, and ends
 * the endpoint's failures, unless the endpoint has a new URL. A failure of a delivery that was delivered or resent meanwhile
 * is only logged. Failed deliveries are retried in the queue of slow ones.
 */
export function settleAttempts(settled: Settled[]): QueryConfig {
  const rows = settled.map(({ outcome, ...delivery }) => {
    const { ms, status: estado_http, error, answer: respuesta } = outcome;
    return { ...delivery, intento_id: v7(), ms, estado_http, error, respuesta };
  });
  return statement(
    sql`with hecho as (
        select * from ${unnest(rows, 'd', SETTLED_TYPES)}
      ), endpoint as (
        update webhooks w set lento = d.lento, falla_desde = case when not d.acierta then w.falla_desde end
        from (
          select webhook_id, url, bool_or(lento) as lento, bool_or(estado = 'entregada') as acierta from hecho
          where lento is not null group by webhook_id, url
        ) d
        where w.id = d.webhook_id and w.url = d.url and (w.lento <> d.lento or d.acierta and w.falla_desde is not null)
      ), intento as (
        insert into webhook_intentos (webhook_id, mensaje_id, id, en, ms, estado_http, error, respuesta)
        select webhook_id, mensaje_id, intento_id, now() - ms * interval '1 millisecond', ms, estado_http, error, respuesta from hecho
      )
      update webhook_entregas e set estado = d.estado, intentos = d.intentos, causa = d.causa,
        lenta = e.lenta or d.estado <> 'entregada', actualizado_en = now(), proximo_en = now() + coalesce(d.en_ms, 0) * interval '1 millisecond'
      from hecho d where e.webhook_id = d.webhook_id and e.mensaje_id = d.mensaje_id and e.estado <> 'entregada'
        and (d.estado = 'entregada' or e.ronda = d.ronda)`,
    { name: 'entregas-settle' },
  );
}

/** Deliveries per statement. */
export const SLOWED = 1_000;

const SLOW_DOWN = `update webhook_entregas set lenta = true where webhook_id = $1 and mensaje_id = any (array(
    select mensaje_id from webhook_entregas where webhook_id = $1 and estado = 'pendiente' and not lenta limit ${SLOWED}
  )) and estado = 'pendiente'`;

/** Moves an endpoint's pending deliveries to the queue of slow ones, at most `SLOWED`. */
export function slowDown(webhookId: string): QueryConfig {
  return { name: 'entregas-slow', text: SLOW_DOWN, values: [webhookId] };
}

const IS_GIVEN_UP = `falla_desde < now() - interval '${GIVE_UP_DAYS} days'`;

/**
 * Records a failed attempt at an endpoint, and disables it if it is gone (410) or has failed for five days without a success.
 * Ignores a failure at a URL that the endpoint no longer has. That it is disabled now, its merchant is told by mail.
 */
export function recordEndpointFailure(webhookId: string, gone: boolean, url: string): QueryConfig {
  return statement(
    sql`with endpoint as (
        update webhooks set lento = true, falla_desde = coalesce(falla_desde, now()),
          activo = activo and not ${gone}::boolean and not coalesce(${raw(IS_GIVEN_UP)}, false),
          desactivado_en = case when not activo then desactivado_en when ${gone}::boolean or ${raw(IS_GIVEN_UP)} then now() end,
          desactivado_por = case when not activo then desactivado_por when ${gone}::boolean then 'respuesta_410'
            when ${raw(IS_GIVEN_UP)} then 'cinco_dias_de_fallas' end
        where id = ${webhookId} and url = ${url}
        returning comercio_id, url, desactivado_por, activo, desactivado_en
      ), aviso as (
        ${keepDisabled('(select * from endpoint where not activo and desactivado_en = now()::timestamptz(3))', v7())}
      )
      select desactivado_por from endpoint`,
    { name: 'webhook-fails' },
  );
}

const CLOSE = `update webhook_entregas e set estado = 'fallida', causa = d.causa, actualizado_en = now()
  from unnest($2::uuid[], $3::text[]) as d (mensaje_id, causa)
  where e.webhook_id = $1 and e.mensaje_id = d.mensaje_id and e.estado = 'pendiente'`;

/** Fails pending deliveries without an attempt. */
export function closeDeliveries(
  webhookId: string,
  closed: { mensaje_id: string; causa: string }[],
): QueryConfig {
  const values = [webhookId, ...columnsOf(closed, 'mensaje_id', 'causa')];
  return { name: 'entregas-close', text: CLOSE, values };
}

/** s; a sweep wakes endpoints with deliveries that have been due for longer. */
const OVERDUE_S = 20;

/** Endpoints of one sweep. */
const MAX_OVERDUE = 1_000;

/** Looks up the next endpoint and queue with pending deliveries one after another: an index has them in this order. */
const OVERDUE = `with recursive espera as (
    (select webhook_id, lenta, proximo_en from webhook_entregas where estado = 'pendiente'
      order by webhook_id, lenta, proximo_en limit 1)
    union all
    select n.webhook_id, n.lenta, n.proximo_en from espera
    cross join lateral (
      select webhook_id, lenta, proximo_en from webhook_entregas
      where estado = 'pendiente' and (webhook_id, lenta) > (espera.webhook_id, espera.lenta)
      order by webhook_id, lenta, proximo_en limit 1
    ) n
  )
  select webhook_id, lenta from espera where proximo_en < now() - interval '${OVERDUE_S} seconds' limit ${MAX_OVERDUE}`;

/** Endpoints with deliveries that have been due for a while, in each queue. */
export function overdueEndpoints(): QueryConfig {
  return { name: 'entregas-overdue', text: OVERDUE };
}

const END_CLOSED = `update webhooks w set activo = false, desactivado_en = now(), desactivado_por = 'comercio'
  where w.termina_en is not null and w.activo and w.eliminado_en is null
    and not exists (select from eventos_pendientes p
      join eventos e on e.comercio_id = p.comercio_id and e.guia_id = p.guia_id and e.id = p.id
      where p.comercio_id = w.comercio_id and e.creado_en <= w.termina_en)
    and not exists (select from eventos e
      where e.comercio_id = w.comercio_id and e.proximo_en is not null and e.creado_en <= w.termina_en)
    and not exists (select from webhook_entregas e where e.webhook_id = w.id and e.estado = 'pendiente')`;

/** Disables the endpoints of closed merchants that have nothing left to hear; an event being announced counts. */
export function endClosedEndpoints(): QueryConfig {
  return { name: 'webhooks-end', text: END_CLOSED };
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

export interface Selection {
  /** SQL condition on `t`. */
  where: Sql;
  /** The first of them by id. Default: all. */
  limit?: number;
  /** Due before all others of the endpoint. */
  isFirst?: boolean;
}

/**
 * The deliveries of messages whose id is between two, to be resent, the oldest first. Of the pending ones only those that wait
 * for a retry: the others are in flight. Leaves out tests, which tell the merchant nothing.
 */
export function deliveriesBetween(range: {
  after: string;
  before: string;
  estados: readonly EntregaEstado[];
  limit: number;
}): Selection {
  const { after, before, estados, limit } = range;
  const where = sql`t.mensaje_id > ${after} and t.mensaje_id < ${before} and t.estado = any (${estados})
    and ${raw(isNoTest('t'))}
    and (t.estado <> 'pendiente' or t.proximo_en > now() + interval '${raw(String(RELEASE_S))} seconds')`;
  return { where, limit };
}

/** A delivery, in whatever state it is. */
export function theDelivery(mensajeId: string): Selection {
  return { where: sql`t.mensaje_id = ${mensajeId}`, isFirst: true };
}

/** SQL: due before all others of the endpoint, because somebody waits for the outcome. */
export const FIRST = `'epoch'::timestamptz`;

/**
 * Makes deliveries due now, in a new round, with all their attempts; returns their ids. Without a name: a generic plan, for
 * any values, could read most of the table to find a few rows.
 */
export function resendDeliveries(webhookId: string, { where, limit, isFirst }: Selection): QueryConfig {
  return statement(sql`with chosen as (
      select t.mensaje_id from webhook_entregas t where t.webhook_id = ${webhookId} and ${where}
      order by t.mensaje_id ${limit === undefined ? empty : raw(`limit ${limit}`)} for update
    )
    update webhook_entregas t set estado = 'pendiente', ronda = t.ronda + 1, intentos = 0, lenta = true, causa = null,
      actualizado_en = now(), proximo_en = ${raw(isFirst ? FIRST : 'now()')}
    from chosen where t.webhook_id = ${webhookId} and t.mensaje_id = chosen.mensaje_id
    returning t.mensaje_id`);
}
