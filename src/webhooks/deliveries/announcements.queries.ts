import type { QueryConfig } from 'pg';
import { sql, statement } from '../../platform/database/sql.js';
import { unnest } from '../../platform/database/unnest.js';
import { COMERCIO, LIQUIDACION_COLUMNS, type LiquidacionRow } from '../../cobros/liquidaciones.queries.js';
import { columnsOf } from '../../platform/database/columns-of.js';
import type { TextRow } from '../../platform/database/text-row.js';
import { exactTypes, textTypes } from '../../platform/database/text-types.js';
import { INITIAL_ESTADO, type GuiaEstado } from '../../guias/guia/guia-estado.js';
import { DETAILED } from '../../guias/guia/guia-row.js';
import { OF_OPERATORS } from '../../guias/create/guia-inserts.queries.js';
import type { OperatorGuiaRow } from '../../operations/guias/operator-guias.queries.js';
import { ACTUALIZADA, type PAGADA, type WebhookEvento } from '../endpoints/webhook-evento.js';
import { keepAvisos } from '../avisos/avisos.queries.js';
import type { WebhookMensaje } from './webhook-mensaje.entity.js';
import { NOT_SENT } from './delivery-failure.js';

/**
 * Of these merchants, those that have endpoints, ask for their messages, or have guides that operators' endpoints want events of.
 * `count`, not `exists`: see `guia-inserts.queries.ts`.
 */
export function subscribedMerchants(comercioIds: string[], tipo: WebhookEvento): QueryConfig {
  return {
    name: 'webhooks-listening',
    text: `select comercio_id from webhooks where comercio_id = any ($1) and eliminado_en is null
      union select id from comercios where id = any ($1) and (escucha_desde is not null
        or prueba_de is null and (select count(*) from ${OF_OPERATORS} and $2 = any (eventos)) > 0)`,
    values: [comercioIds, tipo],
  };
}

/** An event and the endpoints of its merchant, or of operators, that subscribe to it; times are ISO 8601. */
interface Subscribed {
  comercio_id: string;
  para_operadores: boolean;
  evento_id: string;
  /** When it was recorded. */
  evento_en: string;
  /** Ids of the endpoints, and in the same order whether each is enabled, and slow. */
  webhooks: string[];
  activos: boolean[];
  lentos: boolean[];
  /** Whether the merchant asks for its messages. */
  escucha: boolean;
}

export interface EventWithSubscribers extends Subscribed, Omit<OperatorGuiaRow, 'comercio_pais'> {
  evento_tipo: Exclude<WebhookEvento, typeof PAGADA>;
  ocurrido_en: string;
  secuencia: number;
  /** The guide's state after it. */
  evento_estado: GuiaEstado;
  datos: Record<string, unknown> | null;
}

export type PaymentWithSubscribers = Subscribed & LiquidacionRow;

/** Days after an endpoint was disabled for which messages are still kept for it. */
const KEEP_DISABLED_DAYS = 30;

const PENDING = `from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as pending (comercio_id, guia_id, id)
  join eventos e on e.comercio_id = pending.comercio_id and e.guia_id = pending.guia_id and e.id = pending.id`;

const SUBSCRIBED = `coalesce(array_agg(id), '{}') as webhooks, coalesce(array_agg(activo), '{}') as activos,
      coalesce(array_agg(lento), '{}') as lentos`;

/** Not an endpoint that has been disabled for too long, nor one that ended before. */
const WANTS = `e.tipo = any (eventos) and (termina_en is null or e.creado_en <= termina_en) and (activo or desactivado_en > now() - interval '${KEEP_DISABLED_DAYS} days')`;

/**
 * A row for the endpoints of the merchant, and another for those of operators, who alone get `guia.actualizada`. Of test guides
 * operators get nothing.
 */
const SUBSCRIBERS = `cross join lateral (
    select false as para_operadores, ${SUBSCRIBED},
      e.tipo <> '${ACTUALIZADA}'
        and exists (select from comercios where id = e.comercio_id and escucha_desde is not null) as escucha
    from webhooks where comercio_id = e.comercio_id and eliminado_en is null and ${WANTS}
    union all
    select true, ${SUBSCRIBED}, false
    from ${OF_OPERATORS} and ${WANTS}
      and exists (select from comercios where id = e.comercio_id and prueba_de is null)
  ) w
  where w.webhooks <> '{}' or w.escucha`;

/** The state after an event is in `datos`, but for events of older versions, which take the last move before them. */
const WITH_SUBSCRIBERS = `select e.comercio_id, e.id as evento_id, e.tipo as evento_tipo, e.creado_en as evento_en,
    coalesce(e.ocurrido_en, e.creado_en) as ocurrido_en, e.secuencia, e.datos,
    case when e.tipo = 'guia.creada' then '${INITIAL_ESTADO}' else coalesce(e.datos->>'estado', (
      select before.datos->>'estado' from eventos before
      where before.comercio_id = e.comercio_id and before.guia_id = e.guia_id and before.secuencia < e.secuencia
        and before.tipo in ('guia.estado_cambiado', 'guia.cancelada')
      order by before.secuencia desc limit 1
    ), '${INITIAL_ESTADO}') end as evento_estado,
    w.*, g.*, case when w.para_operadores then e.comercio_id end as comercio,
    case when w.para_operadores then (select nombre from comercios where id = e.comercio_id) end as comercio_nombre,
    case when w.para_operadores then (select nombre from pilotos where id = g.piloto) end as piloto_nombre
  ${PENDING}
  cross join lateral (
    select ${DETAILED}, piloto_id as piloto from guias where comercio_id = e.comercio_id and id = e.guia_id
  ) g
  ${SUBSCRIBERS}`;

const PAYMENTS = `select e.id as evento_id, e.creado_en as evento_en, w.*,
    ${LIQUIDACION_COLUMNS.map((column) => `l.${column}`).join(', ')}, ${COMERCIO}
  ${PENDING}
  join liquidaciones l on l.comercio_id = e.comercio_id and l.id = e.guia_id
  ${SUBSCRIBERS}`;

interface EventKey {
  comercio_id: string;
  guia_id: string;
  id: string;
}

const keysOf = (eventos: EventKey[]) => columnsOf(eventos, 'comercio_id', 'guia_id', 'id');

/** Events of guides that have subscribers, as `EventWithSubscribers`. */
export function eventsWithSubscribers(eventos: EventKey[]): QueryConfig {
  return {
    name: 'webhooks-subscribed-events',
    text: WITH_SUBSCRIBERS,
    values: keysOf(eventos),
    types: textTypes,
  };
}

/** Payments that have subscribers, as `PaymentWithSubscribers`. */
export function paymentsWithSubscribers(eventos: EventKey[]): QueryConfig {
  return { name: 'webhooks-payments', text: PAYMENTS, values: keysOf(eventos), types: exactTypes };
}

const MENSAJE_TYPES = {
  id: 'uuid',
  comercio_id: 'uuid',
  guia: 'text',
  evento: 'text',
  secuencia: 'integer',
  cuerpo: 'text',
  creado_en: 'timestamptz',
};
const ENTREGA_TYPES = { webhook_id: 'uuid', mensaje_id: 'uuid', activo: 'boolean', lenta: 'boolean' };

/**
 * Inserts messages, their deliveries, and their places where the merchant asks for them; rows that exist stay as they are. A delivery to a disabled endpoint is
 * inserted as failed, so that it can be resent.
 */
export function insertMessages(
  messages: (TextRow<WebhookMensaje, keyof WebhookMensaje> & {
    /** Whether its merchant asks for it. */
    escucha: boolean;
  })[],
  deliveries: { webhook_id: string; mensaje_id: string; activo: boolean; lenta: boolean }[],
): QueryConfig {
  const kept = messages.filter(({ escucha }) => escucha);
  return statement(
    sql`with mensajes as (
        insert into webhook_mensajes (id, comercio_id, guia, evento, secuencia, cuerpo, creado_en)
        select * from ${unnest(messages, 'm', MENSAJE_TYPES)}
        on conflict do nothing
      ), avisos as (${keepAvisos(kept)})
      insert into webhook_entregas (webhook_id, mensaje_id, estado, lenta, causa, creado_en, actualizado_en, proximo_en)
      select webhook_id, mensaje_id, case when activo then 'pendiente' else 'fallida' end, lenta,
        case when not activo then ${NOT_SENT}::text end, now(), now(), now()
      from ${unnest(deliveries, 'e', ENTREGA_TYPES)}
      on conflict do nothing`,
    { name: 'webhooks-keep' },
  );
}
