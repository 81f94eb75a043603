import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import type { PRUEBA, WebhookEvento } from '../endpoints/webhook-evento.js';
import type { EntregaEncolable } from './deliveries.queue.js';
import { GIVE_UP_DAYS } from './delivery-schedule.js';
import type { DeliveryOutcome } from './delivery.client.js';
import type { EntregaEstado } from './webhook-entrega.entity.js';

/** A delivery with its message and endpoint. */
export interface DeliveryRow {
  estado: EntregaEstado;
  intentos: number;
  ronda: number;
  proximo_en: Date;
  evento: WebhookEvento | typeof PRUEBA;
  cuerpo: string;
  url: string;
  activo: boolean;
  eliminado: boolean;
  secreto: number;
  secreto_anterior_hasta: Date | null;
}

const LOAD = `select e.estado, e.intentos, e.ronda, e.proximo_en, m.evento, m.cuerpo, w.url, w.activo,
    w.eliminado_en is not null as eliminado, w.secreto, w.secreto_anterior_hasta
  from webhook_entregas e
  join webhook_mensajes m on m.id = e.mensaje_id
  join webhooks w on w.id = e.webhook_id
  where e.webhook_id = $1 and e.mensaje_id = $2`;

/** A delivery, its message and its endpoint as they are now. */
export function loadDelivery(webhookId: string, mensajeId: string): QueryConfig {
  return { name: 'entrega-load', text: LOAD, values: [webhookId, mensajeId] };
}

const SETTLE = `with endpoint as (
  update webhooks set falla_desde = null where id = $1 and falla_desde is not null and $8 = 'entregada'
), intento as (
  insert into webhook_intentos (webhook_id, mensaje_id, id, en, ms, estado_http, error, respuesta)
  values ($1, $2, $3, now() - $4::integer * interval '1 millisecond', $4, $5, $6, $7)
)
update webhook_entregas set estado = $8, intentos = $9, causa = $10, actualizado_en = now(),
  proximo_en = now() + $11::float8 * interval '1 millisecond'
where webhook_id = $1 and mensaje_id = $2 and estado <> 'entregada' and (ronda = $12 or $8 = 'entregada')`;

/**
 * Records an attempt and what follows for its delivery and endpoint. Changes no delivery that was delivered or
 * resent meanwhile: its attempt is kept, but a failure no longer counts.
 */
export function settleDelivery(
  key: { webhookId: string; mensajeId: string; ronda: number },
  { status, error, answer, ms }: DeliveryOutcome,
  to: { estado: EntregaEstado; intentos: number; causa: string | null; inMs?: number },
): QueryConfig {
  return {
    name: 'entrega-settle',
    text: SETTLE,
    values: [
      key.webhookId,
      key.mensajeId,
      v7(),
      ms,
      status,
      error,
      answer,
      to.estado,
      to.intentos,
      to.causa,
      to.inMs ?? 0,
      key.ronda,
    ],
  };
}

const ENDPOINT_FAILURE = `update webhooks set falla_desde = coalesce(falla_desde, now()),
    activo = activo and not $2 and not coalesce(falla_desde < now() - interval '${GIVE_UP_DAYS} days', false),
    desactivado_en = case when not activo then desactivado_en
      when $2 or falla_desde < now() - interval '${GIVE_UP_DAYS} days' then now() end,
    desactivado_por = case when not activo then desactivado_por when $2 then 'respuesta_410'
      when falla_desde < now() - interval '${GIVE_UP_DAYS} days' then 'cinco_dias_de_fallas' end
  where id = $1 and url = $3
  returning desactivado_por`;

/**
 * Records a failed attempt at an endpoint, and disables it if it is gone (410) or has only failed for five days.
 * A failure at a URL that the endpoint no longer has does not count.
 */
export function recordEndpointFailure(webhookId: string, gone: boolean, url: string): QueryConfig {
  return { name: 'webhook-fails', text: ENDPOINT_FAILURE, values: [webhookId, gone, url] };
}

const CLOSE = `update webhook_entregas set estado = 'fallida', causa = $3, actualizado_en = now()
  where webhook_id = $1 and mensaje_id = $2 and estado = 'pendiente'`;

/** Fails a pending delivery without an attempt. */
export function closeDelivery(webhookId: string, mensajeId: string, causa: string): QueryConfig {
  return { name: 'entrega-close', text: CLOSE, values: [webhookId, mensajeId, causa] };
}

/** s; a delivery that is due for longer is overdue: its job may be lost. */
const OVERDUE_S = 10;

const OVERDUE = `select e.webhook_id, e.mensaje_id, e.ronda, m.guia, e.proximo_en::text as proximo_en
  from webhook_entregas e join webhook_mensajes m on m.id = e.mensaje_id
  where e.estado = 'pendiente' and e.proximo_en < now() - interval '${OVERDUE_S} seconds'
    and (e.proximo_en, e.mensaje_id, e.webhook_id) > ($1::timestamptz, $2::uuid, $3::uuid)
  order by e.proximo_en, e.mensaje_id, e.webhook_id limit $4`;

export type OverdueDelivery = EntregaEncolable & { proximo_en: string };

/** A page of overdue deliveries, after `last`. */
export function overdueDeliveries(last: OverdueDelivery | undefined, limit: number): QueryConfig {
  const lowest = '00000000-0000-0000-0000-000000000000';
  const values = [
    last?.proximo_en ?? '-infinity',
    last?.mensaje_id ?? lowest,
    last?.webhook_id ?? lowest,
    limit,
  ];
  return { name: 'entregas-overdue', text: OVERDUE, values };
}

const NEXT_ROUND = `update webhook_entregas e set ronda = e.ronda + 1
  from unnest($1::uuid[], $2::uuid[], $3::integer[]) as d (webhook_id, mensaje_id, ronda)
  where e.webhook_id = d.webhook_id and e.mensaje_id = d.mensaje_id and e.ronda = d.ronda and e.estado = 'pendiente'
  returning e.webhook_id, e.mensaje_id, e.ronda, (select guia from webhook_mensajes m where m.id = e.mensaje_id) as guia`;

/** Starts another round, and so another job, of deliveries whose job was lost. */
export function nextDeliveryRound(lost: EntregaEncolable[]): QueryConfig {
  const values = [
    lost.map((one) => one.webhook_id),
    lost.map((one) => one.mensaje_id),
    lost.map((one) => one.ronda),
  ];
  return { name: 'entregas-round', text: NEXT_ROUND, values };
}

const RESEND = `with chosen as (
  select e.webhook_id, e.mensaje_id from webhook_entregas e
  where e.webhook_id = $1 and e.mensaje_id > $2 and e.mensaje_id < $3 and e.estado = any ($4)
  order by e.mensaje_id limit $5 for update
)
update webhook_entregas e set estado = 'pendiente', intentos = 0, ronda = e.ronda + 1, causa = null,
  actualizado_en = now(), proximo_en = now()
from chosen c where e.webhook_id = c.webhook_id and e.mensaje_id = c.mensaje_id
returning e.webhook_id, e.mensaje_id, e.ronda, (select guia from webhook_mensajes m where m.id = e.mensaje_id) as guia`;

/** Resends deliveries of messages whose id is between two, oldest first. */
export function resendDeliveries(
  webhookId: string,
  range: { after: string; before: string; estados: readonly EntregaEstado[]; limit: number },
): QueryConfig {
  const values = [webhookId, range.after, range.before, range.estados, range.limit];
  return { name: 'entregas-resend', text: RESEND, values };
}

const RESEND_ONE = `update webhook_entregas e set estado = 'pendiente', intentos = 0, ronda = e.ronda + 1, causa = null,
  actualizado_en = now(), proximo_en = now()
where e.webhook_id = $1 and e.mensaje_id = $2
returning e.webhook_id, e.mensaje_id, e.ronda, (select guia from webhook_mensajes m where m.id = e.mensaje_id) as guia`;

/** Resends one delivery, in whatever state it is. */
export function resendDelivery(webhookId: string, mensajeId: string): QueryConfig {
  return { name: 'entrega-resend', text: RESEND_ONE, values: [webhookId, mensajeId] };
}

const FORGET = `delete from webhook_mensajes where id in (select id from webhook_mensajes where id < $1 order by id limit $2)`;

/** Deletes messages with a lower id, and with them their deliveries and attempts. */
export function forgetMessages(before: string, limit: number): QueryConfig {
  return { name: 'webhook-mensajes-forget', text: FORGET, values: [before, limit] };
}
