import { isUuid } from '../../../platform/database/row-id.js';
import { readMapLink } from '../../../locations/map-link.js';
import type { StatusReport } from '../../messages/messages.service.js';
import type { Recipient } from '../../messages/recipient.js';
import { answerId } from '../../providers/answer-id.js';
import type { Failure } from '../../providers/messaging-provider.js';
import { failureOfErrors } from '../../providers/whatsapp/whatsapp-errors.js';

interface FromRecipient {
  /** WhatsApp's id of the message, which Meta delivers at least once. */
  id: string;
  from: Recipient;
  /** ISO 8601: the last millisecond of the second that WhatsApp names; null where it names none. */
  sentAt: string | null;
  /** WhatsApp's id of our message that this one answers. */
  answers: string | null;
}

/** Stored as JSON until it is processed, so that renaming a field needs a migration. */
export type WhatsappEvent =
  | ({ kind: 'location'; lat: number; lng: number } & FromRecipient)
  /** A tap on one of our buttons: of the template, a choice or a list. */
  | ({ kind: 'button'; payload: string } & FromRecipient)
  /** A text, or what was written below a photo, a video or a file. */
  | ({ kind: 'text'; text: string } & FromRecipient)
  /** Anything else: a voice message, a photo, a sticker, a live location, a type that does not exist yet. */
  | ({ kind: 'other' } & FromRecipient)
  /** `id` is `<message id>:<status>`. */
  | ({ kind: 'status'; id: string } & StatusReport);

/** Characters. */
const MAX_TEXT = 4_096;
const MAX_ID = 512;
const MAX_USER_ID = 200;

/** Messages that expect no answer, or that the app sends by itself. */
const SILENT = new Set<unknown>(['reaction', 'system', 'request_welcome', 'revoke']);

const ESTADOS = new Map<unknown, StatusReport['estado']>([
  ['sent', 'aceptado'],
  ['delivered', 'entregado'],
  ['read', 'leido'],
  ['failed', 'fallido'],
]);

/** The parts of a webhook that are used; any of them may be missing or have another type. */
type Loose<T> = { [K in keyof T]?: T[K] | null } | null | undefined;
type Change = Loose<{ value: Loose<{ metadata: Loose<{ phone_number_id: unknown }> } & Lists> }>;
type Lists = Record<'messages' | 'statuses' | 'contacts' | 'errors', unknown>;
type Contact = Loose<Record<'wa_id' | 'user_id', unknown>>;
type Message = Loose<
  Record<'id' | 'from' | 'from_user_id' | 'timestamp' | 'type', unknown> & {
    context: Loose<{ id: unknown }>;
    location: Loose<Record<'latitude' | 'longitude', unknown>>;
    button: Loose<{ payload: unknown }>;
    interactive: Loose<{ button_reply: Loose<{ id: unknown }>; list_reply: Loose<{ id: unknown }> }>;
    text: Loose<{ body: unknown }>;
  } & Record<'image' | 'video' | 'document', Loose<{ caption: unknown }>>
>;
type Status = Loose<
  Record<'id' | 'status' | 'errors' | 'recipient_user_id' | 'biz_opaque_callback_data', unknown>
>;

/**
 * Reads the body of a webhook, one after another: an event for each message and status that we handle, null for each other
 * one, for an entry without changes, and for whatever cannot be read. Never throws.
 * @param body parsed JSON of any shape.
 * @param phoneNumberId ours; parts for another number are null.
 */
export function* readWhatsappEvents(body: unknown, phoneNumberId: string): Generator<WhatsappEvent | null> {
  for (const entry of list((body as Loose<{ entry: unknown }>)?.entry, UNREADABLE)) {
    const changes = list((entry as Loose<{ changes: unknown }>)?.changes, UNREADABLE);
    if (changes.length === 0) yield null;
    for (const change of changes) yield* readChange(change as Change, phoneNumberId);
  }
}

/** Replaces a part of the wrong type. */
const UNREADABLE = [null];

function list(value: unknown, otherwise: unknown[] = []): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : otherwise;
}

function* readChange(change: Change, phoneNumberId: string): Generator<WhatsappEvent | null> {
  const value = change?.value;
  if (value?.metadata?.phone_number_id !== phoneNumberId) {
    yield null;
    return;
  }
  const messages = list(value.messages) as Message[];
  const statuses = list(value.statuses) as Status[];
  const errors = list(value.errors);
  if (messages.length + statuses.length + errors.length === 0) yield null;
  const contactOf = contactsOf(messages, list(value.contacts) as Contact[]);
  for (const message of messages) yield readMessage(message, contactOf(message));
  for (const status of statuses) yield readStatus(status);
  for (const _ of errors) yield null;
}

/** Since WhatsApp has usernames, the sender may be identified by the message, by `contacts` or by both. */
function contactsOf(messages: Message[], contacts: Contact[]): (message: Message) => Contact {
  // Phone and `wa_id` differ in some countries; a single message and contact still belong together.
  if (messages.length === 1 && contacts.length === 1) return () => contacts[0];
  const byPhone = new Map<unknown, Contact>();
  const byUser = new Map<unknown, Contact>();
  for (const contact of contacts.toReversed()) {
    if (contact?.wa_id) byPhone.set(contact.wa_id, contact);
    if (contact?.user_id) byUser.set(contact.user_id, contact);
  }
  return (message) => byPhone.get(message?.from) ?? byUser.get(message?.from_user_id);
}

function readMessage(message: Message, contact: Contact): WhatsappEvent | null {
  const id = answerId(message?.id, MAX_ID);
  const from = readSender(message, contact);
  if (!message || id === null || from === null || SILENT.has(message.type)) return null;
  const answers = answerId(message.context?.id, MAX_ID);
  const known = { id, from, sentAt: readSecond(message.timestamp), answers };
  switch (message.type) {
    case 'location': {
      const point = readPoint(message.location?.latitude, message.location?.longitude);
      return point ? { kind: 'location', ...known, ...point } : { kind: 'other', ...known };
    }
    case 'button':
    case 'interactive': {
      const { button, interactive } = message;
      const payload = answerId(
        button?.payload ?? interactive?.button_reply?.id ?? interactive?.list_reply?.id,
        MAX_ID,
      );
      return payload === null ? null : { kind: 'button', ...known, payload };
    }
    default: {
      const { type, text, image, video, document } = message;
      const captions: Record<string, unknown> = {
        text: text?.body,
        image: image?.caption,
        video: video?.caption,
        document: document?.caption,
      };
      const written = typeof type === 'string' ? readText(captions[type]) : '';
      return written.trim() === '' ? { kind: 'other', ...known } : { kind: 'text', ...known, text: written };
    }
  }
}

/** Seconds since 1970, as WhatsApp writes them. */
function readSecond(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return /^\d{1,10}$/.test(String(value)) ? new Date(Number(value) * 1_000 + 999).toISOString() : null;
}

function readStatus(status: Status): WhatsappEvent | null {
  const id = answerId(status?.id, MAX_ID);
  const estado = ESTADOS.get(status?.status);
  if (!status || id === null || estado === undefined) return null;
  const ours = status.biz_opaque_callback_data;
  return {
    kind: 'status',
    id: `${id}:${String(status.status)}`,
    proveedorId: id,
    mensajeId: typeof ours === 'string' && isUuid(ours) ? ours : null,
    estado,
    failure: estado === 'fallido' ? plain(failureOfErrors(status.errors)) : null,
    usuario: answerId(status.recipient_user_id, MAX_USER_ID),
  };
}

/** Plain data: an event is stored as JSON. */
function plain({ kind, message, code }: Failure): Failure {
  return { kind, message, code };
}

function readSender(message: Message, contact: Contact): Recipient | null {
  const telefono = readPhone(message?.from) ?? readPhone(contact?.wa_id);
  const usuario =
    answerId(message?.from_user_id, MAX_USER_ID) ??
    answerId(contact?.user_id, MAX_USER_ID) ??
    answerId(contact?.wa_id, MAX_USER_ID);
  return telefono === null && usuario === null ? null : { telefono, usuario };
}

function readPhone(value: unknown): string | null {
  const digits = typeof value === 'string' ? /^\+?([1-9]\d{3,14})$/.exec(value)?.[1] : undefined;
  return digits === undefined ? null : `+${digits}`;
}

/** Follows the same rules as pasted coordinates. */
function readPoint(latitude: unknown, longitude: unknown): { lat: number; lng: number } | null {
  const read = readMapLink(`${degrees(latitude)},${degrees(longitude)}`);
  return read.kind === 'coordinates' ? { lat: read.lat, lng: read.lng } : null;
}

function degrees(value: unknown): string {
  // 20 decimals restore the same number, without an exponent.
  if (typeof value === 'number') return value.toFixed(20);
  return typeof value === 'string' ? value : '';
}

/** Without NUL and lone surrogates, which PostgreSQL refuses. */
function readText(value: unknown): string {
  if (typeof value !== 'string') return '';
  const storable = value.replace(/[\0\p{Cs}]/gu, '');
  return storable.length <= MAX_TEXT
    ? storable
    : [...storable.slice(0, 2 * MAX_TEXT)].slice(0, MAX_TEXT).join('');
}
