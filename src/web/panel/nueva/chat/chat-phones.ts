import type { CountryCode } from 'libphonenumber-js';
import { areaFault, groupedPhone, isKnownPhone, toE164 } from '../../../../platform/validation/phone.js';
import { phoneLinkIn } from '../../../../platform/validation/phone-links.js';
import { phoneLengthFault } from '../../forms/panel-words.js';
import type { ChatField, ChatText, Span } from './chat-text.js';

/** Groups of digits that are looked at. */
const MAX_GROUPS = 80;
/** Groups of one number. */
const MAX_PARTS = 7;
/** Digits of one number: its country may stand before it twice. */
const MIN_DIGITS = 6;
const MAX_DIGITS = 20;
/** Texts that are read as a number, which takes longer than anything else here. */
const MAX_TRIES = 150;

const BETWEEN_GROUPS = /^(?:[ .\-–/]{1,3}|\) ?|\)? ?\()$/;
const NAMED =
  /(?:tel|telefono|cel|celular|movil|whats|whatsapp|wsp|wasap|numero|num|llamar|llameme|contacto|comunicarse|al)[.:#]{0,2} ?(?:es|al|el|de|mi)?:? ?[+(]{0,2}$/;
/** Before a number that is a slip's, an account's or a document's. */
const OTHER_NUMBER =
  /(?:nit|dpi|dui|rfc|curp|cedula|cui|pasaporte|identidad|pedido|orden|cuenta|cta|clabe|iban|tarjeta|guia|tracking|rastreo|factura|codigo|cp|c\.p|boleta|comprobante|recibo|voucher|ticket|folio|autorizacion|aut|transaccion|transferencia|operacion|deposito|referencia|confirmacion|serie|lote|sku|imei|placa|banrural|bancolombia|banco [a-z]{2,12}|#)(?: (?:no|nro|num|numero|de|es|del|la|el|bancaria|monetaria|ahorro|ahorros|corriente|deposito|pago|transferencia)){0,3}[.:º°#]{0,2} ?(?:no|de|es|numero)?[.:]? ?#?$/;

/** A phone that is glued to a word, as a part of a number of another kind would be. */
const GLUED = /[a-z_]$/;

interface Group extends Span {
  isJoined: boolean;
}

/** Takes the phones of a text; the note says where it has another one, or none that is whole. */
export function readPhone(chat: ChatText, country: CountryCode): ChatField | undefined {
  let tries = 0;
  const read = (text: string) => (tries++ < MAX_TRIES ? toE164(text, country) : undefined);
  const linked = takeOtherDigits(chat, read);
  const groups = groupsOf(chat);
  const found: (Span & { e164: string; isNamed: boolean; isGlued?: boolean })[] = linked.map((e164) => ({
    e164,
    start: 0,
    end: 0,
    isNamed: false,
  }));
  let part: (Span & { isNamed: boolean }) | undefined;
  for (let i = 0; i < groups.length; i++) {
    const start = startOf(chat, groups[i]!);
    const before = chat.before(start, 24);
    if (OTHER_NUMBER.test(before)) continue;
    let last = i;
    while (last + 1 < groups.length && last + 1 - i < MAX_PARTS && groups[last + 1]!.isJoined) last++;
    const number = longest(chat, read, start, groups.slice(i, last + 1));
    const isNamed = NAMED.test(before);
    if (number !== undefined) {
      const isGlued =
        !isNamed &&
        (GLUED.test(chat.rest.charAt(groups[i]!.start - 1)) || /^[a-z_]/.test(chat.after(number.end, 1)));
      found.push({ e164: number.e164, start, end: number.end, isNamed, isGlued });
      i += number.count - 1;
    } else if (part === undefined) {
      const end = groups[last]!.end;
      const count = digitsIn(chat.rest.slice(start, end));
      if (count >= (isNamed ? 5 : 6) && count <= 13) part = { start, end, isNamed };
    }
  }
  for (const number of found) chat.take(number);
  const chosen = found.find(({ isNamed }) => isNamed) ?? found[0];
  if (chosen === undefined) {
    if (part === undefined) return phoneOfSender(chat, country);
    chat.take(part);
    const valor = chat.at(part);
    return {
      valor,
      nota: phoneLengthFault(valor, country) ?? areaFault(valor, country) ?? 'No es un teléfono completo.',
    };
  }
  const valor = groupedPhone(chosen.e164, country);
  if (found.some(({ e164 }) => e164 !== chosen.e164))
    return { valor, nota: 'Hay más de un teléfono en el texto. ¿Es este?' };
  if (chosen.isGlued) return { valor, nota: 'Está pegado a otro texto. ¿Es un teléfono?' };
  return { valor, nota: isKnownPhone(chosen.e164) ? undefined : 'No parece un teléfono del país. Revíselo.' };
}

/** The number that WhatsApp writes before messages of somebody who is no contact. */
function phoneOfSender({ senders }: ChatText, country: CountryCode): ChatField | undefined {
  const numbers = [...senders].map((sender) => toE164(sender, country)).filter((one) => one !== undefined);
  const [only, other] = [...new Set(numbers)];
  if (only === undefined) return undefined;
  const nota =
    other === undefined
      ? 'Es el número de quien escribe en el chat. ¿Es el de la entrega?'
      : 'En el chat escriben varios números. ¿Es este?';
  return { valor: groupedPhone(only, country), nota };
}

function groupsOf(chat: ChatText): Group[] {
  const spans = chat.find(/\d+/g, MAX_GROUPS);
  return spans.map((span, i) => {
    const between = i > 0 ? chat.rest.slice(spans[i - 1]!.end, span.start) : '';
    return { ...span, isJoined: BETWEEN_GROUPS.test(between) };
  });
}

/** Where a number begins that has these first digits: before its `+` and bracket. */
function startOf({ rest }: ChatText, { start }: Group): number {
  const [sign = ''] = /\(?\+? ?\(?$/.exec(rest.slice(Math.max(0, start - 4), start)) ?? [];
  return start - sign.length;
}

/** The number of as many groups as possible. @param groups of which the first begins it. */
function longest(
  chat: ChatText,
  read: (text: string) => string | undefined,
  start: number,
  groups: Group[],
): { e164: string; end: number; count: number } | undefined {
  for (let count = groups.length; count > 0; count--) {
    const { end } = groups[count - 1]!;
    const text = chat.text.slice(start, end);
    const digits = digitsIn(text);
    if (digits < MIN_DIGITS) return undefined;
    const e164 = digits > MAX_DIGITS ? undefined : read(text.trim());
    if (e164 !== undefined) return { e164, end, count };
  }
  return undefined;
}

const digitsIn = (text: string) => text.replace(/\D/g, '').length;

/** Characters of a word are bounded, so that the work is in line with the text's length. */
const OTHERS: readonly RegExp[] = [
  // Files, as phones and apps name them, and their first words: `WhatsApp Image 2025-03-30 at 9.14.22 PM (1).jpeg`.
  /whatsapp (?:image|video|audio|ptt|document) \d[\d-]{7,9} at \d[\d.]{3,8}(?: ?[ap]\.?m\.?)?(?: ?\(\d{1,3}\))?(?:\.[a-z\d]{3,4})?/g,
  /captura de pantalla \d[\d -]{7,12}(?: a las? \d[\d.:]{3,8})?/g,
  /(?<![a-z\d_-])(?:img|vid|aud|ptt|doc|stk|pxl|dsc|dscn|dcim|scan|screenshot|screen|captura|foto|video|photo|image|file|signal|received|fb_img|mvimg|inshot|snapchat|telegram|archivo)[_-]?\d[\w-]{3,60}(?: ?\(\d{1,3}\))?(?:\.[a-z\d]{3,4})?/g,
  /(?<![\w.-])[\w-]{1,80}(?: ?\(\d{1,3}\))?\.(?:jpe?g|png|gif|webp|heic|pdf|mp[34]|m4a|aac|opus|ogg|mov|3gp|docx?|xlsx?|csv|txt|vcf|zip)(?![a-z\d])/g,
  // Mail addresses.
  /(?<![\w.+-])[\w.+-]{1,60}@[a-z\d-]{1,40}\.[a-z.]{2,20}/g,
  // Days, and times.
  /(?<![\d/.-]|\d )(?:(?:0?[1-9]|[12]\d|3[01])([/.-])(?:0?[1-9]|1[0-2])\1(?:19|20)\d{2}|(?:0?[1-9]|1[0-2])([/.-])(?:0?[1-9]|[12]\d|3[01])\2(?:19|20)\d{2}|(?:19|20)\d{2}([/.-])(?:0?[1-9]|1[0-2])\3(?:0?[1-9]|[12]\d|3[01]))(?![\d/.-]\d|\d)/g,
  /(?<![\d/.-])(?:0?[1-9]|[12]\d|3[01])\/(?:0?[1-9]|1[0-2])\/\d{2}(?![\d/])/g,
  /(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:])/g,
  /(?<![\d.])\d{1,2} de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)(?: (?:de|del) (?:19|20)\d{2})?/g,
];

/** A link to a chat, an address of WhatsApp, or a contact's field. */
const LINKED =
  /(?:https?:\/\/|whatsapp:\/\/)?(?:www\.|api\.|web\.)?(?:wa\.me\/|whatsapp\.com\/send|send\/?\?phone)\S{1,200}|(?<![\w.])\+?\d{7,15}(?:[:-]\d{1,12})?@(?:s\.whatsapp\.net|c\.us)|(?:item\d{1,2}\.)?tel(?:;[^:\n]{0,100})?:(?:tel:)?[^\n;]{6,40}|waid=\d{7,15}/g;

const MAX_OTHERS = 40;

/**
 * Takes what is no phone although it has the digits of one: names of files, days and times.
 * @param read undefined for a text that is no phone: "tel: 5555 1234, Mixco" looks like a contact.
 * @returns the phones of links, E.164
 */
function takeOtherDigits(chat: ChatText, read: (text: string) => string | undefined): string[] {
  const phones: string[] = [];
  for (const span of chat.find(LINKED, MAX_OTHERS)) {
    const e164 = read(phoneLinkIn(chat.at(span)) ?? '');
    if (e164 === undefined) continue;
    phones.push(e164);
    chat.take(span);
  }
  for (const other of OTHERS) for (const span of chat.find(other, MAX_OTHERS)) chat.take(span);
  return phones;
}
