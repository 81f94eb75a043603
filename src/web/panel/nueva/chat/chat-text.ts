import { MAX } from '../../../../guias/guia/limits.js';

/** Stands where a part has been read, so that it is read once; no text of a chat has it. */
const READ = '\ue000';

/** Characters that are read. More is no order of one customer. */
export const MAX_CHAT = 4_000;

/** Direction marks, zero-width characters and controls, which apps add around copied text; each as one blank. */
const INVISIBLE = /(?!\n)[\p{Cc}\u00a0\u2007\u202f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ue000]/gu;

const MONTH = String.raw`(?:ene|feb|mar|abr|may|jun|jul|ago|sep|set|oct|nov|dic)[a-z]{0,8}\.?`;
const DAY = String.raw`(?:\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?|\d{4}-\d{2}-\d{2}|\d{1,2}(?: de)? ${MONTH}(?: de)? \d{4})`;
const TIME = String.raw`\d{1,2}[:.]\d{2}(?::\d{2})?(?: ?[ap]\. ?m\.?| ?[ap]m)?`;
const SENDER = String.raw`([^:\n]{1,40})`;

/**
 * Before each message of a copied chat: `[12/11/25, 9:14:03 a. m.] Karla: `, `12/11/2025, 9:14 - Karla: `, and as WhatsApp
 * copies it on computers, `[9:14 a. m., 12/11/2025] Karla: `, or Telegram, `Karla, [12/11/2025 9:14]`.
 */
const MESSAGE_HEADS = [
  new RegExp(String.raw`^ ?\[?${DAY},? {1,2}${TIME}(?:\]| [-–]) {1,2}(?:${SENDER}: )?`, 'i'),
  new RegExp(String.raw`^ ?\[?${TIME},? {1,2}${DAY}(?:\]| [-–]) {1,2}(?:${SENDER}: )?`, 'i'),
  new RegExp(String.raw`^${SENDER}, \[${DAY},? {1,2}(?:a las? )?${TIME}\]:? ?`, 'i'),
  // Of somebody who is no contact, without the time.
  /^ ?~? ?(\+\d[\d ()-]{7,20}): /,
];

/** Lines that an app writes itself, folded; all of the line. */
const OF_APP =
  /^<?(?:(?:multimedia|imagen|foto|video|audio|sticker|documento|gif|archivo|nota de voz|ubicacion|contacto)s? (?:omitid[oa]s?|adjunt[oa]s?|eliminad[oa]s?)|(?:los mensajes y las llamadas|tus mensajes y llamadas) estan cifrad.{0,300}|se (?:elimino|edito) este mensaje|(?:eliminaste|se elimino) este mensaje|este mensaje fue eliminado|(?:video)?llamada (?:de voz |de video )?perdida.{0,40}|reenviado|enviaste|has enviado|tu|visto(?: .{0,20})?|editado|.{1,60} respondio a tu historia|respondiste a .{1,60}|foto (?:del|de) perfil de .{1,60}|esperando (?:este|el) mensaje.{0,80}|.{1,60} envio (?:un archivo adjunto|una foto|un mensaje de voz)|(?:hoy|ayer)(?: a las? [\d:]{4,5}.{0,6})?)>?\.?$/;

/** A part of a text: its first character, and the one after its last. */
export interface Span {
  start: number;
  end: number;
}

/** A text of which parts are read one after the other. */
export class ChatText {
  readonly text: string;
  /** Names before copied messages; they are no part of the text. */
  readonly senders = new Set<string>();
  /** The part not read yet, in lower case and without accents; each character stands where it does in `text`. */
  rest: string;

  constructor(pasted: string) {
    const lines = pasted.slice(0, MAX_CHAT).replace(/\r\n?/g, '\n').normalize('NFC').split('\n');
    this.text = lines
      .map((line) =>
        MESSAGE_HEADS.reduce(
          (message, head) =>
            message.replace(head, (_, sender?: string) => {
              if (sender !== undefined) this.senders.add(sender.replace(/^[ ~]+/, ''));
              return '';
            }),
          line.replace(INVISIBLE, ' '),
        ),
      )
      .map((line) => (OF_APP.test(folded(line.slice(0, 400)).trim()) ? '' : line))
      .join('\n');
    this.rest = folded(this.text);
  }

  /** The text of a span as it was written, trimmed. */
  at({ start, end }: Span): string {
    return this.text.slice(start, end).trim();
  }

  take({ start, end }: Span): void {
    this.rest = this.rest.slice(0, start) + READ.repeat(end - start) + this.rest.slice(end);
  }

  /** Where a pattern stands in what is not read. @param max how many are looked at. */
  find(pattern: RegExp, max = Infinity): Span[] {
    const matches = [...this.rest.matchAll(pattern)].slice(0, max);
    return matches.map(({ 0: text, index }) => ({ start: index, end: index + text.length }));
  }

  isTaken({ start, end }: Span): boolean {
    return this.rest.slice(start, end).includes(READ);
  }

  /** Up to where a span has not been read. */
  unread({ start, end }: Span): Span {
    const at = this.rest.indexOf(READ, start);
    return { start, end: at < 0 || at > end ? end : at };
  }

  /** The characters before, of the same line and unread. */
  before(at: number, count: number): string {
    const text = this.rest.slice(Math.max(0, at - count), at);
    return text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf(READ)) + 1);
  }

  after(at: number, count: number): string {
    return this.rest.slice(at, at + count).split(/[\n\ue000]/, 1)[0]!;
  }
}

/** In lower case and without accents, as many UTF-16 units as before. */
export function folded(text: string): string {
  return text
    .replace(/\P{ASCII}/gu, (unit) => {
      const plain = unit.normalize('NFD')[0]!.toLowerCase();
      return plain.length === unit.length ? plain : unit;
    })
    .toLowerCase();
}

const MARK = /[\s*_.,:;¿(-]/;

export function trimMarks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && MARK.test(text[start]!)) start++;
  while (end > start && MARK.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}

export interface ChatField {
  /** As a person would type it into the form. */
  valor: string;
  /** Why it is to be looked at, in Spanish; undefined where it is certain. */
  nota?: string | undefined;
}

/** The fields that a text may have, by their names in a create, and their characters. */
export const LIMITS = {
  nombre: MAX.nombre,
  telefono: MAX.ref,
  maps_url: MAX.maps_url,
  departamento: MAX.nombre,
  municipio: MAX.nombre,
  direccion: MAX.direccion,
  referencia: MAX.referencia,
  contenido: MAX.contenido,
  notas: MAX.notas,
  cod_amount: MAX.ref,
};

export type ChatFieldName = keyof typeof LIMITS;

export type ChatReading = { [Name in ChatFieldName]?: ChatField | undefined };
