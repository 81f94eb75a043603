import { hash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { v7 } from 'uuid';
import { Database } from '../../database/database.js';
import { textTypes } from '../../database/text-types.js';
import { RelayService, type PendingEvento } from '../../events/relay.service.js';
import { toGuiaDetalle } from '../../guias/dto/guia.dto.js';
import { INITIAL_ESTADO, type GuiaEstado } from '../../guias/guia-estado.js';
import { detailedOf, type GuiaDetalleRow } from '../../guias/guias.queries.js';
import { QueuesService } from '../../queues/queues.service.js';
import { NOT_SENT } from './delivery-failure.js';
import { webhookBody } from './payload.js';
import { WEBHOOK_EVENTO_NAMES, type WebhookEvento } from '../endpoints/webhook-evento.js';
import { deliveryJob, WEBHOOKS } from './deliveries.queue.js';

/** An event with its guide and the endpoints that want it. */
interface EventWithSubscribers extends GuiaDetalleRow {
  comercio_id: string;
  evento_id: string;
  evento_tipo: WebhookEvento;
  /** ISO 8601: when it was recorded, and when it happened. */
  evento_en: string;
  ocurrido_en: string;
  secuencia: number;
  /** The guide's state after it. */
  evento_estado: GuiaEstado;
  datos: Record<string, unknown> | null;
  webhooks: string[];
  /** Of each of them, in the same order. */
  activos: boolean[];
}

const LISTENING = `select distinct comercio_id from webhooks where comercio_id = any ($1) and eliminado_en is null`;

const HEARD = `select g.comercio_id, e.id as evento_id, e.tipo as evento_tipo, e.creado_en as evento_en,
    coalesce(e.ocurrido_en, e.creado_en) as ocurrido_en, e.secuencia, e.datos,
    coalesce(e.datos->>'estado', (
      select antes.datos->>'estado' from eventos antes
      where antes.comercio_id = e.comercio_id and antes.guia_id = e.guia_id and antes.secuencia < e.secuencia
        and antes.tipo in ('guia.estado_cambiado', 'guia.cancelada')
      order by antes.secuencia desc limit 1
    ), '${INITIAL_ESTADO}') as evento_estado,
    w.ids as webhooks, w.activos, ${detailedOf('g')}
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as hecho (comercio_id, guia_id, id)
  join eventos e on e.comercio_id = hecho.comercio_id and e.guia_id = hecho.guia_id and e.id = hecho.id
  join guias g on g.comercio_id = e.comercio_id and g.id = e.guia_id
  cross join lateral (
    select array_agg(id) as ids, array_agg(activo) as activos from webhooks
    where comercio_id = g.comercio_id and eliminado_en is null and e.tipo = any (eventos)
  ) w
  where w.ids is not null`;

/** Rows that are there already stay. What a disabled endpoint is not sent is failed from the start, to be resent. */
const KEEP = `with mensajes as (
  insert into webhook_mensajes (id, comercio_id, guia, evento, secuencia, cuerpo, creado_en)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::timestamptz[])
  on conflict do nothing
)
insert into webhook_entregas (webhook_id, mensaje_id, estado, causa, creado_en, actualizado_en, proximo_en)
select webhook_id, mensaje_id, case when activo then 'pendiente' else 'fallida' end, case when not activo then $11 end,
  now(), now(), now()
from unnest($8::uuid[], $9::uuid[], $10::boolean[]) as e (webhook_id, mensaje_id, activo)
on conflict do nothing`;

/** Turns events into messages, one delivery for each endpoint that wants them. */
@Injectable()
export class AnnouncementsService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly relay: RelayService,
    private readonly queues: QueuesService,
  ) {}

  onModuleInit(): void {
    this.relay.subscribe(WEBHOOK_EVENTO_NAMES, (eventos) => this.announce(eventos));
  }

  private async announce(pending: PendingEvento[]): Promise<void> {
    const eventos = await this.ofListeners(pending);
    if (eventos.length === 0) return;
    const values = [
      eventos.map((e) => e.comercio_id),
      eventos.map((e) => e.guia_id),
      eventos.map((e) => e.id),
    ];
    const { rows } = await this.database.query<EventWithSubscribers>({
      name: 'webhooks-heard',
      text: HEARD,
      values,
      types: textTypes,
    });
    if (rows.length === 0) return;
    const messages = rows.map((row) => ({ ...row, mensajeId: mensajeIdOf(row.evento_id, row.evento_en) }));
    const deliveries = messages.flatMap(({ mensajeId, guia, webhooks, activos }) =>
      webhooks.map((webhook_id, i) => ({
        webhook_id,
        mensaje_id: mensajeId,
        ronda: 0,
        guia,
        activo: activos[i]!,
      })),
    );
    await this.database.query({
      name: 'webhooks-keep',
      text: KEEP,
      values: [
        messages.map((one) => one.mensajeId),
        messages.map((one) => one.comercio_id),
        messages.map((one) => one.guia),
        messages.map((one) => one.evento_tipo),
        messages.map((one) => one.secuencia),
        messages.map(bodyOf),
        messages.map((one) => one.evento_en),
        deliveries.map((one) => one.webhook_id),
        deliveries.map((one) => one.mensaje_id),
        deliveries.map((one) => one.activo),
        NOT_SENT,
      ],
    });
    const wanted = deliveries.filter(({ activo }) => activo);
    await this.queues.add(
      WEBHOOKS,
      wanted.map((delivery) => deliveryJob(delivery)),
    );
  }

  /** Those of merchants with endpoints: of the others, most of them, nothing is read. */
  private async ofListeners(eventos: PendingEvento[]): Promise<PendingEvento[]> {
    const merchants = new Set(eventos.map((evento) => evento.comercio_id));
    const { rows } = await this.database.query<{ comercio_id: string }>({
      name: 'webhooks-listening',
      text: LISTENING,
      values: [[...merchants]],
    });
    const listening = new Set(rows.map(({ comercio_id }) => comercio_id));
    return eventos.filter(({ comercio_id }) => listening.has(comercio_id));
  }
}

/** The same for the same event, so that it is announced once; and in order of time, as lists want it. */
function mensajeIdOf(eventoId: string, en: string): string {
  const random = hash('sha256', eventoId, 'buffer').subarray(0, 16);
  return v7({ msecs: Date.parse(en), random });
}

/**
 * The guide is as it is now, and may have moved on since; its state is the one that it had after this event, so that
 * states in order of `secuencia` are its history.
 */
function bodyOf(heard: EventWithSubscribers): string {
  const { evento_tipo: tipo, evento_en, ocurrido_en, secuencia, evento_estado: estado, datos } = heard;
  const { estado_anterior = null, motivo, nota, cod_cobrado, codigo } = datos ?? {};
  const cambio = {
    tipo,
    en: new Date(evento_en),
    secuencia,
    estado,
    estado_anterior: estado_anterior as string | null,
    motivo: (motivo ?? codigo) as string | undefined,
    detalles: { ocurrido_en, nota, cod_cobrado },
  };
  return webhookBody(cambio, { ...toGuiaDetalle(heard), estado });
}
