import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { msOfId } from '../../platform/database/row-id.js';
import { GuiaConfirmationsService } from '../../guias/changes/guia-confirmations.service.js';
import { linkIn } from '../../locations/map-link.js';
import { resolveMapLink } from '../../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../../locations/short-links/short-link.client.js';
import { MessagesService } from '../messages/messages.service.js';
import { OpenRequestsService, type OpenRequest } from '../messages/open-requests.service.js';
import type { Recipient } from '../messages/recipient.js';
import { ASK_LOCATION_PREFIX } from '../providers/whatsapp/whatsapp-messages.js';
import { RetryLater } from '../../platform/queues/job-errors.js';
import { WorkService } from '../../platform/work/work.service.js';
import {
  finishEntrante,
  loadEntrante,
  loadKeptEntrante,
  recordEntrantes,
  rewriteEntrante,
  type EntranteRow,
} from './inbound.queries.js';
import { isCalled, readDenial, type SaidDenial } from './denials.js';
import type { QueueableEntrante } from './inbound.queue.js';
import { INBOUND_EVENTS } from './inbound.work.js';
import { recordTexto } from './texts.queries.js';
import { OptOutsService, readOptOut } from './opt-outs.service.js';
import type { WhatsappEvent } from './whatsapp/webhook-events.js';

type WhatsappMessage = Exclude<WhatsappEvent, { kind: 'status' }>;
type FromPerson = Pick<WhatsappMessage, 'from' | 'answers'>;
type EventOf<Kind extends WhatsappEvent['kind']> = Extract<WhatsappEvent, { kind: Kind }>;

/** An event that may name a place. */
type PlaceEvent = EventOf<'location' | 'text'>;

/** An event as it is stored. Once its guide is found, that is stored too, so that a retry confirms the same guide. */
type Stored<Event> = Event & { guia?: OpenRequest };

/** A message of a recipient, with the time that orders it among their others: never after it arrived. ISO 8601. */
type Dated<Event> = Stored<Event> & { sentAt: string };

/** Milliseconds before the first retry of a map service that did not answer; doubled with each retry. */
const MAP_RETRY_MS = 30_000;

/** Milliseconds after a message arrived when retries of its map service end. */
const MAP_GIVE_UP_MS = 15 * 60_000;

/** Events from recipients and the provider: recorded once, then processed by the queue. */
@Injectable()
export class InboundService {
  constructor(
    private readonly database: Database,
    private readonly work: WorkService,
    private readonly messages: MessagesService,
    private readonly requests: OpenRequestsService,
    private readonly optOuts: OptOutsService,
    private readonly guias: GuiaConfirmationsService,
    private readonly links: ShortLinkClient,
  ) {}

  /** Stores the new events. They are safe once this resolves, even if the queue is unavailable. */
  async record(events: WhatsappEvent[]): Promise<void> {
    if (events.length === 0) return;
    const unique = [...new Map(events.map((event) => [event.id, event])).values()];
    const { rows } = await this.database.query<QueueableEntrante>(recordEntrantes(unique));
    await this.work.enqueue(INBOUND_EVENTS, rows);
  }

  /** Processes an event; idempotent. Returns the outcome in Spanish, for the board. */
  async handle(entranteId: string): Promise<string> {
    const { rows } = await this.database.query<EntranteRow>(loadEntrante(entranteId));
    if (!rows[0]) return 'Ya estaba atendido.';
    const { cuerpo, recibido_en } = rows[0];
    const { outcome, keep } = await this.react(
      entranteId,
      JSON.parse(cuerpo) as Stored<WhatsappEvent>,
      recibido_en,
    );
    await this.database.query(finishEntrante(entranteId, keep ?? false));
    return outcome;
  }

  private async react(id: string, event: Stored<WhatsappEvent>, receivedAt: string): Promise<Reaction> {
    if (event.kind === 'status') {
      await this.messages.report(event);
      return { outcome: `Estado: ${event.estado}.` };
    }
    const sentAt = event.sentAt && event.sentAt < receivedAt ? event.sentAt : receivedAt;
    switch (event.kind) {
      case 'button':
        return this.handleButton(id, { ...event, sentAt });
      case 'location':
        return this.handlePlace(id, { ...event, sentAt }, { lat: event.lat, lng: event.lng });
      case 'text':
        return this.handleText(id, { ...event, sentAt }, receivedAt);
      case 'other':
        return { outcome: await this.askOrExplain(id, event) };
    }
  }

  private async handleButton(id: string, event: Dated<EventOf<'button'>>): Promise<Reaction> {
    const { payload, from, answers } = event;
    const choice = this.requests.readChoice(payload);
    if (choice) return this.choose(id, event, choice);
    if (!payload.startsWith(ASK_LOCATION_PREFIX)) return { outcome: 'Un botón que no es nuestro.' };
    // The location will answer this message, and so be for its guide.
    const guia = answers === null ? undefined : await this.requests.findAnswered(answers);
    await this.messages.reply(id, 'pedir_ubicacion', from, guia);
    return { outcome: 'Se pidió la ubicación.' };
  }

  /** Applies the earlier location to the chosen guide. */
  private async choose(
    id: string,
    event: Dated<EventOf<'button'>>,
    { entranteId, guiaId }: { entranteId: string; guiaId: string },
  ): Promise<Reaction> {
    const { rows } = await this.database.query<Pick<EntranteRow, 'cuerpo'>>(loadKeptEntrante(entranteId));
    const asked = rows[0] && (JSON.parse(rows[0].cuerpo) as PlaceEvent);
    const guia = event.guia ?? (await this.requests.list(event.from)).find((open) => open.guiaId === guiaId);
    if (!asked || !isSamePerson(asked.from, event.from) || !guia)
      return { outcome: 'La elección ya no corresponde a una ubicación.' };
    const point = await this.placeOf(id, asked);
    if (!point) return { outcome: await this.explain(id, event.from) };
    return this.confirm(id, event, guia, point);
  }

  private async handleText(id: string, event: Dated<EventOf<'text'>>, receivedAt: string): Promise<Reaction> {
    // Before anything that may fail: support reads it in any case.
    const received = { id, texto: event.text, recibido_en: receivedAt };
    await this.database.query(recordTexto(received, event.from, event.answers));
    const wish = readOptOut(event.text);
    if (wish) return { outcome: await this.follow(wish, id, event) };
    const denied = await this.deny(id, event);
    if (denied !== undefined) return { outcome: denied };
    const point = await this.placeOf(id, event);
    if (point) return this.handlePlace(id, event, point);
    return { outcome: await this.askOrExplain(id, event) };
  }

  /**
   * Denies the guides that a text says are not its sender's, without an answer: to a stranger any message is one too many.
   * Undefined if it says no such thing, or no guide is meant.
   */
  private async deny(id: string, event: Dated<EventOf<'text'>>): Promise<string | undefined> {
    const said = readDenial(event.text);
    if (!said) return undefined;
    const denied: string[] = [];
    for (const guia of await this.deniedBy(said, event))
      if ((await this.guias.deny(guia)) === 'denied') denied.push(guia.guia);
    if (said.isOptOut) await this.follow('baja', id, event);
    if (denied.length > 0) return `Dijo que no es suyo: ${denied.join(', ')}.`;
    return said.isOptOut ? 'Pidió no recibir mensajes.' : undefined;
  }

  /** The guide that is quoted, or those that its words are about: of several parcels "it is not mine" names none. */
  private async deniedBy(
    { of }: SaidDenial,
    { from, answers, sentAt }: Dated<EventOf<'text'>>,
  ): Promise<OpenRequest[]> {
    const answered = answers === null ? undefined : await this.requests.findAnswered(answers);
    const guias = answered ? [answered] : await this.requests.listDeniable(from, sentAt);
    if (typeof of === 'object') return guias.filter(({ destinatario }) => isCalled(of.nombre, destinatario));
    return of === 'paquete' && guias.length > 1 ? [] : guias;
  }

  /** The answer to whatever names no place: the request for one where a guide waits, once a day; else the explanation. */
  private async askOrExplain(id: string, event: FromPerson): Promise<string> {
    if (await this.askForLocation(id, event)) return 'No se entendió; se pidió la ubicación.';
    return this.explain(id, event.from);
  }

  /** Once a day, where a guide waits. If several do and none is answered, the location is asked for which one it is. */
  private async askForLocation(id: string, { from, answers }: FromPerson): Promise<boolean> {
    const waiting = await this.requests.listWaiting(from);
    if (waiting.length === 0) return false;
    const answered = answers === null ? undefined : await this.requests.findAnswered(answers);
    const guia =
      waiting.length === 1 ? waiting[0] : waiting.find(({ guiaId }) => guiaId === answered?.guiaId);
    return this.messages.replyOnceADay(id, 'pedir_ubicacion', from, guia);
  }

  /** Opts out or in, unless the person wished otherwise since the message was sent. */
  private async follow(
    wish: 'baja' | 'alta',
    id: string,
    { from, sentAt }: Dated<EventOf<'text'>>,
  ): Promise<string> {
    const last = await this.optOuts.findLast(from);
    if (last.en !== null && sentAt < last.en) return 'La misma persona pidió algo después.';
    if (wish === 'alta') {
      // Before the acknowledgement: while opted out, the person gets no messages.
      await this.optOuts.optIn(from, sentAt);
      await this.messages.replyOnceADay(id, 'alta', from);
      return 'Pidió recibir mensajes.';
    }
    // After the acknowledgement, so that a retry after a crash in between repeats both.
    if (!last.de_baja) await this.messages.replyOnceADay(id, 'baja', from);
    await this.optOuts.optOut(from, 'destinatario', sentAt);
    return last.de_baja ? 'Ya había pedido no recibir mensajes.' : 'Pidió no recibir mensajes.';
  }

  private async explain(id: string, from: Recipient): Promise<string> {
    return (await this.messages.replyOnceADay(id, 'ayuda', from))
      ? 'No se entendió; se le explicó cómo responder.'
      : 'No se entendió; ya se le explicó hoy.';
  }

  /** Confirms the guide that is answered, or the only one that waits; if several wait, asks the person to choose. */
  private async handlePlace(id: string, event: Dated<PlaceEvent>, point: Point): Promise<Reaction> {
    const { from, answers, sentAt } = event;
    const answered = event.guia ?? (answers === null ? undefined : await this.requests.findAnswered(answers));
    if (answered) return this.confirm(id, event, answered, point);
    const open = await this.requests.listFor(from, sentAt);
    if (open.length === 1) return this.confirm(id, event, open[0]!, point);
    if (open.length === 0) return { outcome: await this.askOrExplain(id, event) };
    await this.messages.reply(id, 'elegir_guia', from);
    return { outcome: 'Se preguntó para cuál guía es.', keep: true };
  }

  /**
   * The place that an incoming message names; undefined if it names none, or its map service did not answer for 15 minutes.
   * @throws RetryLater while a map service does not answer.
   */
  private async placeOf(id: string, event: PlaceEvent): Promise<Point | undefined> {
    if (event.kind === 'location') return { lat: event.lat, lng: event.lng };
    const { text, from } = event;
    const found = await resolveMapLink(text, from.telefono ?? from.usuario ?? '', this.links);
    const ageMs = Date.now() - msOfId(id);
    if (found.kind === 'silent' && ageMs < MAP_GIVE_UP_MS)
      throw new RetryLater('El servicio de mapas no responde.', Math.max(MAP_RETRY_MS, ageMs));
    if (found.kind !== 'coordinates') return undefined;
    if (found.origin === 'text' && !looksLikeCoordinates(text)) return undefined;
    return { lat: found.lat, lng: found.lng, mapsUrl: linkIn(text) };
  }

  /** Stores the guide first: else a retry after the confirmation would take the location for the next guide that waits. */
  private async confirm(
    id: string,
    event: Dated<EventOf<'location' | 'text' | 'button'>>,
    guia: OpenRequest,
    point: Point,
  ): Promise<Reaction> {
    const { from, sentAt } = event;
    if (!event.guia) await this.database.query(rewriteEntrante(id, { ...event, guia }));
    const confirmed = await this.guias.confirm(guia, { ...point, origen: 'whatsapp' }, { id, sentAt });
    if (confirmed === 'older') return { outcome: `La guía ${guia.guia} ya tiene una ubicación más nueva.` };
    if (confirmed !== 'saved') return this.refuse(id, event, guia);
    await this.messages.reply(id, 'ubicacion_recibida', from, guia);
    return { outcome: `Confirmó la guía ${guia.guia}.` };
  }

  /** Says that the guide takes no place now; offers those that wait, unless the person has just chosen this one. */
  private async refuse(id: string, { kind, from }: WhatsappMessage, guia: OpenRequest): Promise<Reaction> {
    const canOffer = kind !== 'button' && (await this.requests.listWaiting(from)).length > 0;
    await this.messages.reply(id, canOffer ? 'elegir_guia' : 'guia_cerrada', from, guia);
    const outcome = `La guía ${guia.guia} no admite ahora otra ubicación.`;
    return canOffer ? { outcome: `${outcome} Se ofreció otra que espera.`, keep: true } : { outcome };
  }
}

interface Reaction {
  /** Spanish, for the board. */
  outcome: string;
  /** Whether to keep the event, which is needed once the person has chosen a guide. */
  keep?: boolean;
}

interface Point {
  lat: number;
  lng: number;
  mapsUrl?: string;
}

/** A sender is identified by phone, app id, or both. */
function isSamePerson(a: Recipient, b: Recipient): boolean {
  return (
    (a.telefono !== null && a.telefono === b.telefono) || (a.usuario !== null && a.usuario === b.usuario)
  );
}

/** Two numbers may be a time or a price; coordinates have three decimals, or degree signs or letters. */
function looksLikeCoordinates(text: string): boolean {
  return /[°'′NSEWO]/i.test(text) || (text.match(/\d[.,]\d{3}/g) ?? []).length >= 2;
}
