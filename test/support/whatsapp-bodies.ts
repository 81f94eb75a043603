import { createHmac } from 'node:crypto';

/** Webhook bodies as in the documentation of the Cloud API; only ids and texts vary. */

export const PHONE_NUMBER_ID = '106540352242922';
export const DISPLAY_PHONE = '15550783881';
export const SENDER = '50255551234';
export const BSUID = 'GT.13491208655302741918';

let counter = 0;

/** A `timestamp`. */
export const secondsAgo = (seconds: number) => String(Math.floor(Date.now() / 1_000) - seconds);

/** A new id like those of WhatsApp. */
export function wamid(): string {
  const bytes = Buffer.from(`\x1d\x05\x0b${SENDER}\x15\x02\x00${String(++counter).padStart(10, '0')}`);
  return `wamid.${bytes.toString('base64')}`;
}

/** Replaced fields of a message from a person with a visible phone number; `undefined` leaves a field out. */
export interface MessageParts {
  id?: string;
  from?: string | undefined;
  from_user_id?: string | undefined;
  /** Id of our message that it answers. */
  answers?: string;
  /** Seconds since 1970; now unless given. */
  timestamp?: string;
}

export type CloudMessage = Record<string, unknown>;

function message(type: string, content: unknown, parts: MessageParts): CloudMessage {
  const { answers, ...rest } = parts;
  return {
    ...(answers !== undefined && { context: { from: DISPLAY_PHONE, id: answers } }),
    from: SENDER,
    from_user_id: BSUID,
    id: wamid(),
    timestamp: secondsAgo(0),
    type,
    [type]: content,
    ...rest,
  };
}

/** A pin; with `answers` one from the location picker that we opened. */
export const location = (
  point: { latitude: unknown; longitude: unknown; name?: string; address?: string },
  parts: MessageParts = {},
) => message('location', point, parts);

/** A tap on the template's quick reply. */
export const quickReply = (payload: string, answers: string, parts: MessageParts = {}) =>
  message('button', { payload, text: 'Enviar ubicación' }, { answers, ...parts });

/** A tap on one of at most three buttons. */
export const buttonReply = (id: string, answers: string, parts: MessageParts = {}) =>
  message(
    'interactive',
    { type: 'button_reply', button_reply: { id, title: 'Guía 482019375624' } },
    { answers, ...parts },
  );

/** A choice from a list. */
export const listReply = (id: string, answers: string, parts: MessageParts = {}) =>
  message(
    'interactive',
    { type: 'list_reply', list_reply: { id, title: 'Guía 482019375624', description: 'Tienda Maya' } },
    { answers, ...parts },
  );

export const text = (body: string, parts: MessageParts = {}) => message('text', { body }, parts);

/** A message that the API cannot represent, for example a poll. */
export const unsupported = (parts: MessageParts = {}) => ({
  ...message('unsupported', { type: 'poll_creation' }, parts),
  errors: [
    {
      code: 131051,
      title: 'Message type unknown',
      message: 'Message type unknown',
      error_data: { details: 'Message type is currently not supported.' },
    },
  ],
});

export const reaction = (to: string, parts: MessageParts = {}) =>
  message('reaction', { message_id: to, emoji: '👍' }, parts);

export const image = (parts: MessageParts = {}, caption?: string) =>
  message(
    'image',
    {
      ...(caption !== undefined && { caption }),
      mime_type: 'image/jpeg',
      sha256: 'SfInY0gGKTsJlUWbwxC1k+FAD0FZHvzwfpvO0zX0GUI=',
      id: '1003383421387256',
    },
    parts,
  );

const MEDIA = {
  mime_type: 'audio/ogg; codecs=opus',
  sha256: 'SfInY0gGKTsJlUWbwxC1k',
  id: '1003383421387256',
};

/** Messages that name no place and have no text. */
export const WORDLESS: [what: string, make: (parts?: MessageParts) => CloudMessage][] = [
  ['a live location', unsupported],
  ['a voice message', (parts = {}) => message('audio', { ...MEDIA, voice: true }, parts)],
  ['a photo', image],
  ['a video', (parts = {}) => message('video', { ...MEDIA, mime_type: 'video/mp4' }, parts)],
  ['a file', (parts = {}) => message('document', { ...MEDIA, filename: 'casa.pdf' }, parts)],
  ['a contact', (parts = {}) => message('contacts', [{ name: { formatted_name: 'Ana' } }], parts)],
  ['a sticker', (parts = {}) => message('sticker', { ...MEDIA, animated: false }, parts)],
  ['an order', (parts = {}) => message('order', { catalog_id: '1', product_items: [] }, parts)],
  ['a type that does not exist yet', (parts = {}) => message('holograma', {}, parts)],
  ['a place at 0, 0', (parts = {}) => location({ latitude: 0, longitude: 0 }, parts)],
  ['a place that cannot be read', (parts = {}) => location({ latitude: 'x', longitude: null }, parts)],
  ['an empty text', (parts = {}) => text(' ', parts)],
];

/** Someone with a username, whose number is not shown. */
export const HIDDEN_PHONE = { from: undefined, from_user_id: BSUID } satisfies MessageParts;

interface StatusParts {
  /** Our id of the message. */
  biz_opaque_callback_data?: string;
  recipient_id?: string | undefined;
  recipient_user_id?: string | undefined;
}

/** A status of our message `id`. */
export function status(
  name: 'sent' | 'delivered' | 'read' | (string & {}),
  id: string,
  parts: StatusParts = {},
): CloudMessage {
  return {
    id,
    status: name,
    timestamp: '1795273460',
    recipient_id: SENDER,
    recipient_user_id: BSUID,
    ...(['sent', 'delivered'].includes(name) && {
      pricing: { billable: true, pricing_model: 'PMP', category: 'utility', type: 'regular' },
    }),
    ...parts,
  };
}

/** The status of an accepted message that was not delivered; it has no user id. */
export function failed(id: string, code: number, parts: StatusParts = {}): CloudMessage {
  return {
    ...status('failed', id, { recipient_user_id: undefined, ...parts }),
    errors: [
      {
        code,
        title: 'Message undeliverable',
        message: 'Message undeliverable',
        error_data: { details: `Unable to deliver message to ${SENDER}.` },
        href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
      },
    ],
  };
}

/** The content of one change. */
interface ChangeParts {
  messages?: CloudMessage[];
  statuses?: CloudMessage[];
  /** Ours unless given. */
  phoneNumberId?: string;
  /** Derived from the messages unless given. */
  contacts?: unknown[];
}

function change({ messages, statuses, phoneNumberId = PHONE_NUMBER_ID, contacts }: ChangeParts) {
  return {
    value: {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: DISPLAY_PHONE, phone_number_id: phoneNumberId },
      ...(messages && { contacts: contacts ?? messages.map(contact), messages }),
      ...(statuses && { statuses }),
    },
    field: 'messages',
  };
}

function contact(of: CloudMessage) {
  return {
    profile: { name: 'Ana López', ...(of.from === undefined && { username: 'ana.lopez' }) },
    ...(of.from !== undefined && { wa_id: of.from }),
    user_id: of.from_user_id,
  };
}

/** A body of one entry with one change. */
export function webhookBody(parts: ChangeParts): object {
  return webhookBatch([[parts]]);
}

/** A body of several entries, each of several changes. */
export function webhookBatch(entries: ChangeParts[][]): object {
  return {
    object: 'whatsapp_business_account',
    entry: entries.map((changes, i) => ({ id: `10229012933939${i}`, changes: changes.map(change) })),
  };
}

/** JSON as Meta writes it, with non-ASCII characters and slashes escaped. */
export function metaJson(body: unknown): string {
  return JSON.stringify(body)
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/');
}

/** The header with the signature of these bytes. */
export function signed(body: string | Buffer, secret: string): { 'x-hub-signature-256': string } {
  return { 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
}
