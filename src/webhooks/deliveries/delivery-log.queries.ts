import type { QueryConfig } from 'pg';
import { empty, raw, sql, statement } from '../../platform/database/sql.js';
import { HIGHEST_ID } from '../../platform/database/row-id.js';
import { asIso, textTypes } from '../../platform/database/text-types.js';
import { PRUEBA } from '../endpoints/webhook-evento.js';
import { FIRST } from './deliveries.queries.js';
import type { EntregaEstado } from './webhook-entrega.entity.js';

const INTENTO = `json_build_object('en', ${asIso('i.en')}, 'ms', i.ms,
  'estado_http', i.estado_http, 'error', i.error, 'respuesta', i.respuesta)`;

const LISTED = `select m.id, m.evento, m.guia, m.secuencia, e.estado, e.intentos, e.causa, m.creado_en,
    greatest(e.proximo_en, e.actualizado_en) as proximo_en,
    (select ${INTENTO} from webhook_intentos i
      where i.webhook_id = e.webhook_id and i.mensaje_id = e.mensaje_id order by i.id desc limit 1) as ultimo`;

const FROM = 'from webhook_entregas e join webhook_mensajes m on m.id = e.mensaje_id';

/** The first `rows` deliveries of an endpoint after `after`, newest first; or only those in a state. */
export function pageOfDeliveries(
  webhookId: string,
  estado: EntregaEstado | undefined,
  { after, rows }: { after?: { id: string }; rows: number },
): QueryConfig {
  return statement(
    sql`${raw(LISTED)} ${raw(FROM)} where e.webhook_id = ${webhookId} and e.mensaje_id < ${after?.id ?? HIGHEST_ID}
      ${estado === undefined ? empty : sql`and e.estado = ${estado}`} order by e.mensaje_id desc limit ${rows}`,
    { types: textTypes },
  );
}

const DETAIL = `${LISTED}, m.cuerpo, array(select ${INTENTO} from webhook_intentos i
    where i.webhook_id = e.webhook_id and i.mensaje_id = e.mensaje_id order by i.id) as historial
  ${FROM} where e.webhook_id = $1 and e.mensaje_id = $2`;

export function deliveryDetail(webhookId: string, mensajeId: string): QueryConfig {
  return { text: DETAIL, values: [webhookId, mensajeId], types: textTypes };
}

/**
 * Inserts a test message and its delivery, unless the last test is still in flight, or a newer one was inserted.
 * @param last the endpoint's `prueba_id`.
 */
export function insertTest(
  webhookId: string,
  last: string | null,
  message: { id: string; body: string },
): QueryConfig {
  return statement(sql`with endpoint as (
      update webhooks set prueba_id = ${message.id}
      where id = ${webhookId} and prueba_id is not distinct from ${last}::uuid and not exists (
        select from webhook_entregas
        where webhook_id = ${webhookId} and mensaje_id = ${last}::uuid and estado = 'pendiente')
      returning id, comercio_id
    ), mensaje as (
      insert into webhook_mensajes (id, comercio_id, evento, cuerpo, creado_en)
      select ${message.id}, comercio_id, ${PRUEBA}, ${message.body}, now() from endpoint
    )
    insert into webhook_entregas (webhook_id, mensaje_id, estado, lenta, creado_en, actualizado_en, proximo_en)
    select id, ${message.id}, 'pendiente', true, now(), now(), ${raw(FIRST)} from endpoint`);
}

const OF_GUIA = `select m.id, e.webhook_id as webhook, w.url, m.evento, m.secuencia, e.estado, e.intentos, e.causa,
    m.creado_en, case when e.estado = 'pendiente' and e.intentos > 0 then e.proximo_en end as proximo_intento_en
  from webhook_mensajes m
  join webhooks w on w.comercio_id = m.comercio_id
  cross join lateral (
    select * from webhook_entregas where webhook_id = w.id and mensaje_id = m.id offset 0
  ) e
  where m.guia = $1 order by m.secuencia, m.id, e.webhook_id`;

/** All deliveries of a guide, by its number, oldest first. */
export function deliveriesOfGuia(guia: string): QueryConfig {
  return { text: OF_GUIA, values: [guia], types: textTypes };
}
