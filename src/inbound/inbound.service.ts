import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { Database } from '../database/database.js';
import { LOWEST_ID } from '../database/row-id.js';
import { GuiaConfirmationsService } from '../guias/changes/guia-confirmations.service.js';
import { linkIn, resolveMapLink } from '../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../locations/short-links/short-link.client.js';
import { InjectLogger } from '../logging/logging.module.js';
import { MessagesService } from '../notifications/messages/messages.service.js';
import { ASK_LOCATION_PREFIX } from '../notifications/providers/whatsapp/whatsapp-messages.js';
import type { OpenRequest, Recipient } from '../notifications/messages/open-requests.queries.js';
import { OpenRequestsService } from '../notifications/messages/open-requests.service.js';
import { RetryLater } from '../queues/job-errors.js';
import { QueuesService } from '../queues/queues.service.js';
import { ENTRANTES, inboundJob } from './inbound.queue.js';
import { OptOutsService, readOptOut } from './opt-outs.service.js';
import type { WhatsappEvent } from './whatsapp/webhook-events.js';

type EventOf<Tipo extends WhatsappEvent['tipo']> = Extract<WhatsappEvent, { tipo: Tipo }>;

/** Minimum milliseconds between two explanations to one person. */
const HELP_EVERY_MS = 24 * 60 * 60 * 1_000;

/** Milliseconds until a map service that did not answer is asked again. */
const MAP_RETRY_MS = 30_000;

const RECORD = `insert into entrantes (id, clave, cuerpo, recibido_en)
  select id, clave, cuerpo, now() from unnest($1::uuid[], $2::text[], $3::text[]) as nuevo (id, clave, cuerpo)
  on conflict do nothing
  returning id`;

const OVERDUE = `select id, recibido_en::text from entrantes
  where procesado_en is null and recibido_en < now() - interval '20 seconds'
    and (recibido_en, id) > ($1::timestamptz, $2::uuid)
  order by recibido_en, id limit $3`;

const FORGET = `update entrantes set cuerpo = null
  where cuerpo is not null and procesado_en < now() - interval '24 hours'`;

export interface OverdueEntrante {
  id: string;
  /** As PostgreSQL writes it: where the next page begins. */
  recibido_en: string;
}

/** Events from recipients and the provider: recorded once, then processed by the queue. */
@Injectable()
export class InboundService {
  constructor(
    private readonly database: Database,
    private readonly queues: QueuesService,
    private readonly messages: MessagesService,
    private readonly requests: OpenRequestsService,
    private readonly optOuts: OptOutsService,
    private readonly guias: GuiaConfirmationsService,
    private readonly links: ShortLinkClient,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Stores the new events. Once this resolves they are safe, also if the queue is not available. */
  async record(events: WhatsappEvent[]): Promise<void> {
    if (events.length === 0) return;
    const unique = [...new Map(events.map((event) => [event.id, event])).values()];
    const values = [
      unique.map(() => v7()),
      unique.map(({ id }) => id),
      unique.map((event) => JSON.stringify(event)),
    ];
    const { rows } = await this.database.query<{ id: string }>({
      name: 'entrantes-record',
      text: RECORD,
      values,
    });
    try {
      await this.queues.add(
        ENTRANTES,
        rows.map(({ id }) => inboundJob(id)),
      );
    } catch (error) {
      this.logger.warn({ err: error }, 'incoming messages wait for the queue');
    }
  }

  /** Incoming messages that should have been handled by now, after `last`. */
  async overdue(last: OverdueEntrante | undefined, limit: number): Promise<OverdueEntrante[]> {
    const { rows } = await this.database.query<OverdueEntrante>({
      name: 'entrantes-overdue',
      text: OVERDUE,
      values: [last?.recibido_en ?? '-infinity', last?.id ?? LOWEST_ID, limit],
    });
    return rows;
  }

  /** Drops events kept for a choice that was not made within a day. */
  async forget(): Promise<void> {
    await this.database.query({ name: 'entrantes-forget', text: FORGET });
  }

  /** Processes an event; may be called any number of times. */
  async handle(entranteId: string): Promise<string> {
    const event = await this.load(entranteId);
    if (!event) return 'Ya estaba atendido.';
    const { outcome, keep } = await this.react(entranteId, event);
    await this.database.query({
      name: 'entrante-done',
      text: `update entrantes set procesado_en = now(), cuerpo = case when $2 then cuerpo end where id = $1`,
      values: [entranteId, keep ?? false],
    });
    return outcome;
  }

  private async load(id: string): Promise<WhatsappEvent | undefined> {
    const text = 'select cuerpo from entrantes where id = $1 and procesado_en is null';
    const { rows } = await this.database.query<{ cuerpo: string }>({
      name: 'entrante-load',
      text,
      values: [id],
    });
    return rows[0] && (JSON.parse(rows[0].cuerpo) as WhatsappEvent);
  }

  private async react(id: string, event: WhatsappEvent): Promise<Reaction> {
    switch (event.tipo) {
      case 'estado':
        return { outcome: await this.handleStatus(event) };
      case 'boton':
        return { outcome: await this.handleButton(id, event) };
      case 'ubicacion':
        return this.handlePlace(id, event, { lat: event.lat, lng: event.lng });
      case 'texto':
        return this.handleText(id, event);
    }
  }

  private async handleStatus({
    estado,
    mensajeId,
    mensajeProveedor,
    usuario,
    fallo,
  }: EventOf<'estado'>): Promise<string> {
    await this.messages.report({ estado, mensajeId, proveedorId: mensajeProveedor, usuario, fallo });
    return `Estado: ${estado}.`;
  }

  private async handleButton(id: string, { payload, de, respondeA }: EventOf<'boton'>): Promise<string> {
    const choice = this.requests.readChoice(payload);
    if (choice) return this.choose(id, de, choice);
    if (!payload.startsWith(ASK_LOCATION_PREFIX)) return 'Un botón que no es nuestro.';
    // The location will answer this message, so the guide of this message says which guide it is for.
    const guia = respondeA === null ? undefined : await this.requests.findAnswered(respondeA, de);
    await this.messages.reply(id, 'pedir_ubicacion', de, guia);
    return 'Se pidió la ubicación.';
  }

  /** Applies the location sent before to the guide that was chosen. */
  private async choose(
    id: string,
    de: Recipient,
    { entranteId, guiaId }: { entranteId: string; guiaId: string },
  ): Promise<string> {
    const text = 'select cuerpo from entrantes where id = $1 and cuerpo is not null';
    const { rows } = await this.database.query<{ cuerpo: string }>({ text, values: [entranteId] });
    const asked = rows[0] && (JSON.parse(rows[0].cuerpo) as EventOf<'ubicacion'> | EventOf<'texto'>);
    const guia = (await this.requests.list(de)).find((open) => open.guiaId === guiaId);
    const point = asked && (await this.placeOf(asked));
    if (!asked || !isSamePerson(asked.de, de) || !guia || !point)
      return 'La elección ya no corresponde a una ubicación.';
    return this.confirm(id, de, guia, point);
  }

  private async handleText(id: string, event: EventOf<'texto'>): Promise<Reaction> {
    const wish = readOptOut(event.texto);
    if (wish === 'baja') return { outcome: await this.optOut(id, event.de) };
    if (wish === 'alta') {
      await this.optOuts.set(event.de, 'alta');
      await this.messages.reply(id, 'alta', event.de);
      return { outcome: 'Pidió recibir mensajes.' };
    }
    const point = await this.placeOf(event);
    return point ? this.handlePlace(id, event, point) : { outcome: await this.explain(id, event.de) };
  }

  /** Acknowledges before storing: after a crash in between, the retry repeats both; the reply is idempotent. */
  private async optOut(id: string, de: Recipient): Promise<string> {
    if (await this.optOuts.isOptedOut(de)) return 'Ya había pedido no recibir mensajes.';
    await this.messages.reply(id, 'baja', de);
    await this.optOuts.set(de, 'baja');
    return 'Pidió no recibir mensajes.';
  }

  private async explain(id: string, de: Recipient): Promise<string> {
    const last = await this.messages.lastSentAt('ayuda', de);
    if (last && Date.now() - last.getTime() < HELP_EVERY_MS) return 'No se entendió; ya se le explicó hoy.';
    await this.messages.reply(id, 'ayuda', de);
    return 'No se entendió; se le explicó cómo responder.';
  }

  /** For the guide that is answered, else for the only one that waits; of several the person chooses one. */
  private async handlePlace(
    id: string,
    event: EventOf<'ubicacion'> | EventOf<'texto'>,
    point: Point,
  ): Promise<Reaction> {
    const answered =
      event.respondeA === null ? undefined : await this.requests.findAnswered(event.respondeA, event.de);
    if (answered) return { outcome: await this.confirm(id, event.de, answered, point) };
    const open = await this.requests.list(event.de);
    if (open.length === 1) return { outcome: await this.confirm(id, event.de, open[0]!, point) };
    if (open.length === 0) return { outcome: await this.explain(id, event.de) };
    await this.messages.reply(id, 'elegir_guia', event.de);
    return { outcome: 'Se preguntó para cuál guía es.', keep: true };
  }

  /**
   * The place that an incoming message names; undefined where it names none.
   * @throws RetryLater while a map service does not answer.
   */
  private async placeOf(event: EventOf<'ubicacion'> | EventOf<'texto'>): Promise<Point | undefined> {
    if (event.tipo === 'ubicacion') return { lat: event.lat, lng: event.lng };
    const sender = event.de.telefono ?? event.de.usuario ?? '';
    const found = await resolveMapLink(event.texto, sender, this.links);
    if (found.kind === 'silent') throw new RetryLater('El servicio de mapas no responde.', MAP_RETRY_MS);
    if (found.kind !== 'coordinates') return undefined;
    // Two numbers may be a time or a price; coordinates have three decimals, or degree signs and letters.
    if (found.origin === 'text' && !/\d[.,]\d{3,}[\s\S]*\d[.,]\d{3,}|[°'′NSEWO]/i.test(event.texto))
      return undefined;
    return { lat: found.lat, lng: found.lng, mapsUrl: linkIn(event.texto) };
  }

  private async confirm(id: string, de: Recipient, guia: OpenRequest, point: Point): Promise<string> {
    const confirmed = await this.guias.confirm(guia, { ...point, origen: 'whatsapp' });
    if (!confirmed) {
      await this.messages.reply(id, 'guia_cerrada', de, guia);
      return `La guía ${guia.guia} ya no espera una ubicación.`;
    }
    await this.messages.reply(id, 'ubicacion_recibida', de, guia);
    return `Confirmó la guía ${guia.guia}.`;
  }
}

interface Reaction {
  /** Spanish, for the board. */
  outcome: string;
  /** Whether the event is needed again, because it was answered with a question. */
  keep?: boolean;
}

interface Point {
  lat: number;
  lng: number;
  mapsUrl?: string;
}

/** An event has the sender's phone, id in the app, or both. */
function isSamePerson(a: Recipient, b: Recipient): boolean {
  return (
    (a.telefono !== null && a.telefono === b.telefono) || (a.usuario !== null && a.usuario === b.usuario)
  );
}
