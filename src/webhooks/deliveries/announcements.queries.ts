import type { QueryConfig } from 'pg';
import { textTypes } from '../../database/text-types.js';
import { INITIAL_ESTADO, type GuiaEstado } from '../../guias/guia-estado.js';
import { DETAILED, type GuiaDetalleRow } from '../../guias/guias.queries.js';
import type { WebhookEvento } from '../endpoints/webhook-evento.js';
import { NOT_SENT } from './delivery-failure.js';

/** Of these merchants, those that have endpoints. */
export function subscribedMerchants(comercioIds: string[]): QueryConfig {
  return {
    name: 'webhooks-listening',
    text: `select distinct comercio_id from webhooks where comercio_id = any ($1) and eliminado_en is null`,
    values: [comercioIds],
  };
}

/** An event with its guide and the endpoints that subscribe to it; times are ISO 8601. */
export interface EventWithSubscribers extends GuiaDetalleRow {
  comercio_id: string;
  evento_id: string;
  evento_tipo: WebhookEvento;
  /** When it was recorded. */
  evento_en: string;
  ocurrido_en: string;
  secuencia: number;
  /** The guide's state after it. */
  evento_estado: GuiaEstado;
  datos: Record<string, unknown> | null;
  /** Ids of the endpoints, and in the same order whether each is enabled. */
  webhooks: string[];
  activos: boolean[];
}

const WITH_SUBSCRIBERS = `select e.comercio_id, e.id as evento_id, e.tipo as evento_tipo, e.creado_en as evento_en,
    coalesce(e.ocurrido_en, e.creado_en) as ocurrido_en, e.secuencia, e.datos,
    coalesce(e.datos->>'estado', (
      select before.datos->>'estado' from eventos before
      where before.comercio_id = e.comercio_id and before.guia_id = e.guia_id and before.secuencia < e.secuencia
        and before.tipo in ('guia.estado_cambiado', 'guia.cancelada')
      order by before.secuencia desc limit 1
    ), '${INITIAL_ESTADO}') as evento_estado,
    w.webhooks, w.activos, g.*
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as pending (comercio_id, guia_id, id)
  join eventos e on e.comercio_id = pending.comercio_id and e.guia_id = pending.guia_id and e.id = pending.id
  cross join lateral (
    select ${DETAILED} from guias where comercio_id = e.comercio_id and id = e.guia_id
  ) g
  cross join lateral (
    select array_agg(id) as webhooks, array_agg(activo) as activos from webhooks
    where comercio_id = e.comercio_id and eliminado_en is null and e.tipo = any (eventos)
  ) w
  where w.webhooks is not null`;

/** Events that have subscribers, as `EventWithSubscribers`. */
export function eventsWithSubscribers(
  eventos: { comercio_id: string; guia_id: string; id: string }[],
): QueryConfig {
  const values = [
    eventos.map((evento) => evento.comercio_id),
    eventos.map((evento) => evento.guia_id),
    eventos.map((evento) => evento.id),
  ];
  return { name: 'webhooks-heard', text: WITH_SUBSCRIBERS, values, types: textTypes };
}

const INSERT = `with mensajes as (
  insert into webhook_mensajes (id, comercio_id, guia, evento, secuencia, cuerpo, creado_en)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::timestamptz[])
  on conflict do nothing
)
insert into webhook_entregas (webhook_id, mensaje_id, estado, causa, creado_en, actualizado_en, proximo_en)
select webhook_id, mensaje_id, case when activo then 'pendiente' else 'fallida' end, case when not activo then $11 end,
  now(), now(), now()
from unnest($8::uuid[], $9::uuid[], $10::boolean[]) as e (webhook_id, mensaje_id, activo)
on conflict do nothing`;

/**
 * Inserts messages and their deliveries; rows that exist stay as they are. A delivery to a disabled endpoint is
 * inserted as failed, so that it can be resent.
 */
export function insertMessages(
  messages: {
    id: string;
    comercio_id: string;
    guia: string;
    evento: WebhookEvento;
    secuencia: number;
    cuerpo: string;
    /** ISO 8601. */
    creado_en: string;
  }[],
  deliveries: { webhook_id: string; mensaje_id: string; activo: boolean }[],
): QueryConfig {
  return {
    name: 'webhooks-keep',
    text: INSERT,
    values: [
      messages.map((one) => one.id),
      messages.map((one) => one.comercio_id),
      messages.map((one) => one.guia),
      messages.map((one) => one.evento),
      messages.map((one) => one.secuencia),
      messages.map((one) => one.cuerpo),
      messages.map((one) => one.creado_en),
      deliveries.map((one) => one.webhook_id),
      deliveries.map((one) => one.mensaje_id),
      deliveries.map((one) => one.activo),
      NOT_SENT,
    ],
  };
}
