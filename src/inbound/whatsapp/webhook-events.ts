import { readMapLink } from '../../locations/map-link.js';
import type { Recipient } from '../../notifications/messages/open-requests.service.js';
import type { SendError } from '../../notifications/providers/messaging-provider.js';
import { failureOfErrors } from '../../notifications/providers/whatsapp/whatsapp-errors.js';

/** Why a message that was accepted did not arrive. */
export type Fallo = Pick<SendError, 'kind' | 'causa' | 'code'>;

interface FromRecipient {
  /** WhatsApp's id of the message; Meta delivers it at least once. */
  id: string;
  /** At least one of the two is known. */
  de: Recipient;
  /** WhatsApp's id of our message that it answers, where the app says so. */
  respondeA: string | null;
}

export type WhatsappEvent =
  | ({ tipo: 'ubicacion'; lat: number; lng: number } & FromRecipient)
  /** A tap on a button of ours: of the template, of a choice or of a list. */
  | ({ tipo: 'boton'; payload: string } & FromRecipient)
  | ({ tipo: 'texto'; texto: string } & FromRecipient)
  | {
      tipo: 'estado';
      /** The message's id and its status, joined by a colon. */
      id: string;
      mensajeProveedor: string;
      /** Our own id of the message, where the status repeats it. */
      mensajeId: string | null;
      estado: 'aceptado' | 'entregado' | 'leido' | 'fallido';
      /** Only of `fallido`. */
      fallo: Fallo | null;
      usuario: string | null;
    };

type Estado = Extract<WhatsappEvent, { tipo: 'estado' }>['estado'];

/** Characters. */
const MAX_TEXT = 4_096;
const MAX_ID = 512;
const MAX_USER_ID = 200;

const ESTADOS = new Map<unknown, Estado>([
  ['sent', 'aceptado'],
  ['delivered', 'entregado'],
  ['read', 'leido'],
  ['failed', 'fallido'],
]);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parts of a webhook, as far as they are used; any of them may be missing or something else. */
type Loose<T> = { [K in keyof T]?: T[K] | null } | null | undefined;
type Change = Loose<{ value: Loose<{ metadata: Loose<{ phone_number_id: unknown }> } & Lists> }>;
type Lists = Record<'messages' | 'statuses' | 'contacts' | 'errors', unknown>;
type Contact = Loose<Record<'wa_id' | 'user_id', unknown>>;
type Message = Loose<
  Record<'id' | 'from' | 'from_user_id' | 'type', unknown> & {
    context: Loose<{ id: unknown }>;
    location: Loose<Record<'latitude' | 'longitude', unknown>>;
    button: Loose<{ payload: unknown }>;
    interactive: Loose<{ button_reply: Loose<{ id: unknown }>; list_reply: Loose<{ id: unknown }> }>;
    text: Loose<{ body: unknown }>;
  }
>;
type Status = Loose<
  Record<'id' | 'status' | 'errors' | 'recipient_user_id' | 'biz_opaque_callback_data', unknown>
>;

/**
 * What happened, by the body of a webhook: one event for each message and status that means something to us.
 * `ignorados` counts the others, and all that cannot be read. Never throws.
 * @param body parsed JSON of any shape.
 * @param phoneNumberId ours: what belongs to another number is not read.
 */
export function readWhatsappEvents(
  body: unknown,
  phoneNumberId: string,
): { eventos: WhatsappEvent[]; ignorados: number } {
  const found = list((body as Loose<{ entry: unknown }>)?.entry, UNREADABLE)
    .flatMap((entry) => list((entry as Loose<{ changes: unknown }>)?.changes, UNREADABLE))
    .flatMap((change) => readChange(change as Change, phoneNumberId));
  const eventos = found.filter((event) => event !== null);
  return { eventos, ignorados: found.length - eventos.length };
}

/** Stands for a part that is not what it should be, so that it counts as ignored. */
const UNREADABLE = [null];

function list(value: unknown, otherwise: unknown[] = []): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : otherwise;
}

function readChange(change: Change, phoneNumberId: string): (WhatsappEvent | null)[] {
  const value = change?.value;
  if (value?.metadata?.phone_number_id !== phoneNumberId) return [null];
  const messages = list(value.messages) as Message[];
  const contacts = list(value.contacts) as Contact[];
  const found = [
    ...messages.map((message) => readMessage(message, contactOf(message, messages, contacts))),
    ...list(value.statuses).map((status) => readStatus(status as Status)),
    ...list(value.errors).map(() => null),
  ];
  return found.length > 0 ? found : [null];
}

/** Since people may have usernames, what tells who wrote may stand in the message, in `contacts` or in both. */
function contactOf(message: Message, messages: Message[], contacts: Contact[]): Contact {
  // Phone and `wa_id` differ in some countries; alone, they belong together all the same.
  if (messages.length === 1 && contacts.length === 1) return contacts[0];
  return contacts.find(
    (contact) =>
      (contact?.wa_id && contact.wa_id === message?.from) ||
      (contact?.user_id && contact.user_id === message?.from_user_id),
  );
}

function readMessage(message: Message, contact: Contact): WhatsappEvent | null {
  const id = readId(message?.id);
  const de = readSender(message, contact);
  if (!message || id === null || de === null) return null;
  const known = { id, de, respondeA: readId(message.context?.id) };
  switch (message.type) {
    case 'location': {
      const point = readPoint(message.location?.latitude, message.location?.longitude);
      return point && { tipo: 'ubicacion', ...known, ...point };
    }
    case 'button':
    case 'interactive': {
      const { button, interactive } = message;
      const payload = readId(button?.payload ?? interactive?.button_reply?.id ?? interactive?.list_reply?.id);
      return payload === null ? null : { tipo: 'boton', ...known, payload };
    }
    case 'text': {
      const texto = readText(message.text?.body);
      return texto === '' ? null : { tipo: 'texto', ...known, texto };
    }
    default:
      return null;
  }
}

function readStatus(status: Status): WhatsappEvent | null {
  const id = readId(status?.id);
  const estado = ESTADOS.get(status?.status);
  if (!status || id === null || estado === undefined) return null;
  const ours = status.biz_opaque_callback_data;
  return {
    tipo: 'estado',
    id: `${id}:${String(status.status)}`,
    mensajeProveedor: id,
    mensajeId: typeof ours === 'string' && UUID.test(ours) ? ours : null,
    estado,
    fallo: estado === 'fallido' ? plain(failureOfErrors(status.errors)) : null,
    usuario: readId(status.recipient_user_id, MAX_USER_ID),
  };
}

/** An event is written as JSON, an error is not. */
function plain({ kind, causa, code }: Fallo): Fallo {
  return { kind, causa, code };
}

function readSender(message: Message, contact: Contact): Recipient | null {
  const telefono = readPhone(message?.from) ?? readPhone(contact?.wa_id);
  const usuario =
    readId(message?.from_user_id, MAX_USER_ID) ??
    readId(contact?.user_id, MAX_USER_ID) ??
    readId(contact?.wa_id, MAX_USER_ID);
  return telefono === null && usuario === null ? null : { telefono, usuario };
}

function readPhone(value: unknown): string | null {
  const digits = typeof value === 'string' ? /^\+?([1-9]\d{3,14})$/.exec(value)?.[1] : undefined;
  return digits === undefined ? null : `+${digits}`;
}

function readId(value: unknown, max = MAX_ID): string | null {
  return typeof value === 'string' && value.length <= max && /^[^\p{C}]+$/u.test(value) ? value : null;
}

/** By the same rules as coordinates that someone pastes. */
function readPoint(latitude: unknown, longitude: unknown): { lat: number; lng: number } | null {
  const read = readMapLink(`${degrees(latitude)},${degrees(longitude)}`);
  return read.kind === 'coordinates' ? { lat: read.lat, lng: read.lng } : null;
}

function degrees(value: unknown): string {
  // 20 decimals give the very same number back, and never an exponent.
  if (typeof value === 'number') return value.toFixed(20);
  return typeof value === 'string' ? value : '';
}

/** Without what a database refuses: NUL and halves of surrogate pairs. */
function readText(value: unknown): string {
  if (typeof value !== 'string') return '';
  const storable = value.replace(/[\0\p{Cs}]/gu, '');
  return storable.length <= MAX_TEXT
    ? storable
    : [...storable.slice(0, 2 * MAX_TEXT)].slice(0, MAX_TEXT).join('');
}
