import { linkIn, readMapLinkIn } from '../../../../locations/map-link.js';
import { isFarOutside } from '../../../../locations/plausibility.js';
import { phoneLinkIn } from '../../../../platform/validation/phone-links.js';
import type { ChatField, ChatText, Span } from './chat-text.js';

/** Words that are looked at as links; more are no order. */
const MAX_LINKS = 8;

const HOSTS = ['://', 'geo:', 'goo.gl/', 'maps.google.', 'google.com/maps', 'waze.com/', 'maps.apple.com'];

/** Written coordinates: two numbers with decimals, or angles. */
const POINT =
  /-?\d{1,3}[.,]\d{3,12}\s{0,2}[,;/ ]\s{0,2}-?\d{1,3}[.,]\d{3,12}|\d{1,3}\s?[°º][^a-z\n]{0,30}[nsewo]\b/g;

/** Coordinates behind their names: `Lat: 14.6407 Lng: -90.5133`. */
const NAMED_POINT =
  /\blat(?:itud)?[:=.]?\s?(-?\d{1,2}[.,]\d{3,12})[\s,;/]{1,3}(?:y )?(?:lng|long?|longitud)[:=.]?\s?(-?\d{1,3}[.,]\d{3,12})/;

/** The rest of a link that another program broke into the next line. */
const REST_OF_LINK = /^[ \t]{0,5}\n[ \t]{0,5}([\w.,%+-]\S{0,2000})([ \t]{0,5}(?:\n|$))?/;

/** Where no link ends: in the middle of a pair or a number, or behind a service's name. */
const NO_END = /[=@/&?%-]$|[=@/][+-]?\d{1,2}\.\d+,$|\D\d{1,3}\.$/;

/** Whether a text is what a short link ends with, and no word: letters with digits, or with capitals among them. */
function isShortId(text: string): boolean {
  const [id = ''] = /^[\w-]{5,40}/.exec(text) ?? [];
  return /[a-zA-Z]/.test(id) && (/\d/.test(id) || /[a-z][A-Z]/.test(id));
}

/** A link with what stands on the next line, where it names a place with that alone. */
function wholeLink(chat: ChatText, word: Span): { span: Span; text: string } {
  const text = chat.at(word);
  const { kind } = readMapLinkIn(text);
  const [rest, part, isLine] = REST_OF_LINK.exec(chat.text.slice(word.end, word.end + 2_100)) ?? [];
  if (rest === undefined || part === undefined || kind === 'short' || !NO_END.test(text))
    return { span: word, text };
  const whole = readMapLinkIn(text + part).kind;
  const isId = whole === 'short' && isLine !== undefined && isShortId(part);
  if (whole !== 'coordinates' && !isId) return { span: word, text };
  const end = word.end + rest.length - (isLine?.length ?? 0);
  return { span: { start: word.start, end }, text: text + part };
}

/** Takes the map link of a text, or its coordinates; other links are left out. */
export function readLinks(chat: ChatText, country: string): ChatField | undefined {
  const found: string[] = [];
  const words = chat.find(/\S+/g).filter(({ start, end }) => {
    const word = chat.rest.slice(start, end);
    return HOSTS.some((host) => word.includes(host)) && phoneLinkIn(word) === undefined;
  });
  for (const word of words.slice(0, MAX_LINKS)) {
    const { span, text } = wholeLink(chat, word);
    const { kind } = readMapLinkIn(text);
    if (kind === 'coordinates' || kind === 'short' || kind === 'place') found.push(linkIn(text));
    chat.take(span);
  }
  const named = NAMED_POINT.exec(chat.rest);
  if (named) {
    const [text, lat, lng] = named.map((part) => part.replace(',', '.'));
    if (readMapLinkIn(`${lat}, ${lng}`).kind === 'coordinates') found.push(`${lat}, ${lng}`);
    chat.take({ start: named.index, end: named.index + text!.length });
  }
  const points = chat.find(POINT, MAX_LINKS);
  if (found.length === 0) {
    const link = readMapLinkIn(points.map((point) => chat.at(point)).join(' '));
    if (link.kind === 'coordinates') found.push(`${link.lat}, ${link.lng}`);
  }
  if (found.length > 0) for (const point of points) chat.take(point);
  const [valor, other] = [...new Set(found)];
  if (valor === undefined) return undefined;
  if (other !== undefined) return { valor, nota: 'Hay más de un lugar en el texto; este es el primero.' };
  const link = readMapLinkIn(valor);
  if (link.kind === 'coordinates' && isFarOutside(country, link))
    return { valor, nota: 'Queda lejos de su país. ¿Es el lugar?' };
  if (link.kind === 'place') return { valor, nota: 'El enlace nombra el lugar, sin su punto en el mapa.' };
  return { valor };
}
