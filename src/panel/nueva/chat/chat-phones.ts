import type { CountryCode } from 'libphonenumber-js';
import { groupedPhone, isKnownPhone, toE164 } from '../../../validation/phone.js';
import { SUBSCRIBER_LENGTHS } from '../../../validation/subscriber-lengths.js';
import type { ChatField } from './chat-field.js';
import type { ChatText, Span } from './chat-text.js';

/** Groups of digits that are looked at. */
const MAX_GROUPS = 80;
/** Groups of one number. */
const MAX_PARTS = 7;

const BETWEEN_GROUPS = /^(?:[ .\-–/]{1,3}|\) ?|\)? ?\()$/;
const NAMED =
  /(?:tel|telefono|cel|celular|movil|whats|whatsapp|wsp|wasap|numero|num|llamar|llameme|contacto|comunicarse|al)[.:#]{0,2} ?(?:es|al|el|de|mi)?:? ?[+(]{0,2}$/;
const OTHER_NUMBER =
  /(?:nit|dpi|dui|rfc|curp|cedula|identidad|pedido|orden|cuenta|guia|factura|codigo|cp|c\.p|#)[.:º°#]{0,2} ?(?:no|de|es|numero)?[.:]? ?$/;

interface Group extends Span {
  isJoined: boolean;
}

/** Takes the phones of a text; the note says where it has another one, or none that is whole. */
export function readPhone(chat: ChatText, country: CountryCode): ChatField | undefined {
  const groups = groupsOf(chat);
  const found: { e164: string; span: Span; isNamed: boolean }[] = [];
  let part: (Span & { isNamed: boolean }) | undefined;
  for (let i = 0; i < groups.length; i++) {
    const start = startOf(chat, groups[i]!);
    const before = chat.before(start, 24);
    if (OTHER_NUMBER.test(before)) continue;
    let last = i;
    while (last + 1 < groups.length && last + 1 - i < MAX_PARTS && groups[last + 1]!.isJoined) last++;
    const number = longest(chat, country, start, groups, i, last);
    const isNamed = NAMED.test(before);
    if (number !== undefined) {
      found.push({ e164: number.e164, span: { start, end: groups[number.last]!.end }, isNamed });
      i = number.last;
    } else if (part === undefined) {
      const end = groups[last]!.end;
      const count = digitsIn(chat.rest.slice(start, end));
      if (count >= (isNamed ? 5 : 6) && count <= 13) part = { start, end, isNamed };
    }
  }
  for (const { span } of found) chat.take(span);
  const chosen = found.find(({ isNamed }) => isNamed) ?? found[0];
  if (chosen === undefined) {
    if (part === undefined) return undefined;
    chat.take(part);
    return { valor: chat.at(part), nota: wrongLength(digitsIn(chat.at(part)), country) };
  }
  const valor = groupedPhone(chosen.e164, country);
  if (found.some(({ e164 }) => e164 !== chosen.e164))
    return { valor, nota: 'Hay más de un teléfono en el texto. ¿Es este?' };
  return { valor, ...(!isKnownPhone(chosen.e164) && { nota: 'No parece un teléfono del país. Revíselo.' }) };
}

function groupsOf({ rest }: ChatText): Group[] {
  const groups: Group[] = [];
  for (const { 0: digits, index: start } of rest.matchAll(/\d+/g)) {
    if (groups.length === MAX_GROUPS) break;
    const last = groups.at(-1);
    const isJoined = last !== undefined && BETWEEN_GROUPS.test(rest.slice(last.end, start));
    groups.push({ start, end: start + digits.length, isJoined });
  }
  return groups;
}

/** Where a number begins that has these first digits: before its `+` and bracket. */
function startOf({ rest }: ChatText, { start }: Group): number {
  const [sign = ''] = /\(?\+? ?\(?$/.exec(rest.slice(Math.max(0, start - 4), start)) ?? [];
  return start - sign.length;
}

function longest(
  chat: ChatText,
  country: CountryCode,
  start: number,
  groups: Group[],
  first: number,
  last: number,
): { e164: string; last: number } | undefined {
  for (let end = last; end >= first; end--) {
    const text = chat.text.slice(start, groups[end]!.end);
    if (digitsIn(text) < 6) return undefined;
    const e164 = toE164(text.trim(), country);
    if (e164 !== undefined) return { e164, last: end };
  }
  return undefined;
}

const digitsIn = (text: string) => text.replace(/\D/g, '').length;

function wrongLength(digits: number, country: CountryCode): string {
  const lengths = SUBSCRIBER_LENGTHS[country];
  const name = new Intl.DisplayNames('es', { type: 'region' }).of(country) ?? country;
  return lengths && !lengths.includes(digits)
    ? `Tiene ${digits} dígitos; en ${name} son ${lengths.join(' o ')}.`
    : 'No es un teléfono completo.';
}
