import { hash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { v7 } from 'uuid';
import { Database } from '../../database/database.js';
import { RelayService, type PendingEvento } from '../../events/relay.service.js';
import { toGuiaDetalle } from '../../guias/dto/guia.dto.js';
import { QueuesService } from '../../queues/queues.service.js';
import { WEBHOOK_EVENTO_NAMES } from '../endpoints/webhook-evento.js';
import {
  eventsWithSubscribers,
  insertMessages,
  subscribedMerchants,
  type EventWithSubscribers,
} from './announcements.queries.js';
import { deliveryJob, WEBHOOKS } from './deliveries.queue.js';
import { webhookBody } from './payload.js';

/** Turns events into messages, with one delivery for each endpoint that subscribes to them. */
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
    const eventos = await this.ofSubscribedMerchants(pending);
    if (eventos.length === 0) return;
    const { rows } = await this.database.query<EventWithSubscribers>(eventsWithSubscribers(eventos));
    if (rows.length === 0) return;
    const messages = rows.map((row) => ({
      id: mensajeIdOf(row.evento_id, row.evento_en),
      comercio_id: row.comercio_id,
      guia: row.guia,
      evento: row.evento_tipo,
      secuencia: row.secuencia,
      cuerpo: bodyOf(row),
      creado_en: row.evento_en,
    }));
    const deliveries = rows.flatMap(({ guia, webhooks, activos }, n) =>
      webhooks.map((webhook_id, i) => ({
        webhook_id,
        mensaje_id: messages[n]!.id,
        ronda: 0,
        guia,
        activo: activos[i]!,
      })),
    );
    await this.database.query(insertMessages(messages, deliveries));
    const pendientes = deliveries.filter(({ activo }) => activo);
    await this.queues.add(
      WEBHOOKS,
      pendientes.map((delivery) => deliveryJob(delivery)),
    );
  }

  /** Most merchants have no endpoints; nothing more is read for their events. */
  private async ofSubscribedMerchants(eventos: PendingEvento[]): Promise<PendingEvento[]> {
    const merchants = new Set(eventos.map((evento) => evento.comercio_id));
    const { rows } = await this.database.query<{ comercio_id: string }>(subscribedMerchants([...merchants]));
    const subscribed = new Set(rows.map(({ comercio_id }) => comercio_id));
    return eventos.filter(({ comercio_id }) => subscribed.has(comercio_id));
  }
}

/** Derived from the event, so that an event is announced once; in order of time, as lists need it. */
function mensajeIdOf(eventoId: string, en: string): string {
  const random = hash('sha256', eventoId, 'buffer').subarray(0, 16);
  return v7({ msecs: Date.parse(en), random });
}

/**
 * The guide is shown as it is now, except for its state: that is the one after the event, so that the states of a
 * guide's messages in order of `secuencia` are its history.
 */
function bodyOf(row: EventWithSubscribers): string {
  const { evento_tipo: tipo, evento_en, ocurrido_en, secuencia, evento_estado: estado, datos } = row;
  const { estado_anterior = null, motivo, nota, cod_cobrado, codigo } = datos ?? {};
  const evento = {
    tipo,
    en: new Date(evento_en),
    secuencia,
    estado,
    estado_anterior: estado_anterior as string | null,
    motivo: (motivo ?? codigo) as string | undefined,
    detalles: { ocurrido_en, nota, cod_cobrado },
  };
  return webhookBody(evento, { ...toGuiaDetalle(row), estado });
}
