import { Injectable, type OnModuleInit } from '@nestjs/common';
import { toLiquidacion } from '../../cobros/dto/liquidacion.dto.js';
import { Database } from '../../platform/database/database.js';
import { derivedRowId } from '../../platform/database/row-id.js';
import {
  DispatcherService,
  type EventoJob,
  type PendingEvento,
} from '../../platform/events/dispatcher.service.js';
import { toGuiaDetalle } from '../../guias/dto/guia.dto.js';
import { toGuiaDeOperaciones } from '../../operations/guias/guia-de-operaciones.dto.js';
import { TrackingLinksService } from '../../guias/tracking/tracking-links.service.js';
import {
  ACTUALIZADA,
  GUIA_WEBHOOK_EVENTO_NAMES,
  PAGADA,
  type WebhookEvento,
} from '../endpoints/webhook-evento.js';
import {
  eventsWithSubscribers,
  insertMessages,
  paymentsWithSubscribers,
  subscribedMerchants,
  type EventWithSubscribers,
  type PaymentWithSubscribers,
} from './announcements.queries.js';
import { endpointJob, queueOf } from './deliveries.queue.js';
import { paymentBody, webhookBody } from './payload.js';

/** Turns events into messages, with one delivery for each endpoint that subscribes to them. */
@Injectable()
export class AnnouncementsService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly dispatcher: DispatcherService,
    private readonly tracking: TrackingLinksService,
  ) {}

  onModuleInit(): void {
    this.dispatcher.subscribe([...GUIA_WEBHOOK_EVENTO_NAMES, ACTUALIZADA], (eventos) =>
      this.announceGuias(eventos),
    );
    this.dispatcher.subscribe([PAGADA], (eventos) => this.announcePayments(eventos));
  }

  private async announceGuias(pending: PendingEvento[]): Promise<EventoJob[]> {
    const eventos = await this.ofSubscribedMerchants(pending);
    if (eventos.length === 0) return [];
    const { rows } = await this.database.query<EventWithSubscribers>(eventsWithSubscribers(eventos));
    return this.announce(
      rows.map((row) => ({
        ...row,
        evento: row.evento_tipo,
        cuerpo: bodyOf(row, this.tracking.linkTo(row)),
      })),
    );
  }

  private async announcePayments(pending: PendingEvento[]): Promise<EventoJob[]> {
    const eventos = await this.ofSubscribedMerchants(pending);
    if (eventos.length === 0) return [];
    const { rows } = await this.database.query<PaymentWithSubscribers>(paymentsWithSubscribers(eventos));
    return this.announce(
      rows.map((row) => ({
        ...row,
        evento: PAGADA,
        guia: null,
        secuencia: null,
        cuerpo: paymentBody(row.evento_en, toLiquidacion(row)),
      })),
    );
  }

  private async announce(announcements: Announcement[]): Promise<EventoJob[]> {
    if (announcements.length === 0) return [];
    const messages = announcements.map((one) => ({
      // Derived from the event, so that it has one message for its merchant and one for operators. Ordered by time, for lists.
      id: derivedRowId(Date.parse(one.evento_en), seedOf(one)),
      comercio_id: one.para_operadores ? null : one.comercio_id,
      guia: one.guia,
      evento: one.evento,
      secuencia: one.secuencia,
      cuerpo: one.cuerpo,
      creado_en: one.evento_en,
      escucha: one.escucha,
    }));
    const deliveries = announcements.flatMap(({ evento_id, webhooks, activos, lentos }, n) =>
      webhooks.map((webhook_id, i) => ({
        evento_id,
        webhook_id,
        mensaje_id: messages[n]!.id,
        activo: activos[i]!,
        lenta: lentos[i]!,
      })),
    );
    await this.database.query(insertMessages(messages, deliveries));
    return deliveries
      .filter(({ activo }) => activo)
      .map((one) => ({ eventoId: one.evento_id, queue: queueOf(one), job: endpointJob(one.webhook_id) }));
  }

  /** Most merchants have no endpoints and do not ask; for their events nothing more is read. @param eventos of one type. */
  private async ofSubscribedMerchants(eventos: PendingEvento[]): Promise<PendingEvento[]> {
    const merchants = new Set(eventos.map((evento) => evento.comercio_id));
    const { rows } = await this.database.query<{ comercio_id: string }>(
      subscribedMerchants([...merchants], eventos[0]!.tipo as WebhookEvento),
    );
    const subscribed = new Set(rows.map(({ comercio_id }) => comercio_id));
    return eventos.filter(({ comercio_id }) => subscribed.has(comercio_id));
  }
}

/** A message and the endpoints that it goes to. */
type Announcement = Pick<
  EventWithSubscribers,
  | 'comercio_id'
  | 'para_operadores'
  | 'evento_id'
  | 'evento_en'
  | 'webhooks'
  | 'activos'
  | 'lentos'
  | 'escucha'
> & { evento: WebhookEvento; guia: string | null; secuencia: number | null; cuerpo: string };

/** The message of an event for its merchant has the event's own seed. */
const seedOf = ({ evento_id, para_operadores }: Announcement) =>
  para_operadores ? `${evento_id} operadores` : evento_id;

/**
 * Shows the guide as it is now, but with its state right after the event: in order of `secuencia`, the states of a guide's
 * messages are its history. What was collected belongs to the delivery alone.
 */
function bodyOf(row: EventWithSubscribers, seguimiento: string): string {
  const { evento_tipo: tipo, evento_en, ocurrido_en, secuencia, evento_estado: estado, datos } = row;
  const {
    estado_anterior = null,
    motivo,
    nota,
    cod_cobrado,
    pago,
    recibio,
    distancia_m,
    codigo,
    campos,
  } = datos ?? {};
  const evento = {
    tipo,
    en: new Date(evento_en),
    secuencia,
    estado,
    estado_anterior: estado_anterior as string | null,
    ...(tipo === 'guia.advertencia'
      ? { detalles: { ocurrido_en, codigo } }
      : {
          motivo: (motivo ?? codigo) as string | undefined,
          detalles: {
            ocurrido_en,
            nota,
            cod_cobrado,
            pago,
            recibio,
            distancia_m,
            ...(tipo === ACTUALIZADA && { campos }),
          },
        }),
  };
  const guia = row.para_operadores ? toGuiaDeOperaciones(row) : { ...toGuiaDetalle(row), seguimiento };
  return webhookBody(evento, {
    ...guia,
    estado,
    ...(estado !== 'entregado' && { cod_cobrado: null, pago: null }),
  });
}
