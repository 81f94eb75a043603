import { linkIn, readMapLinkIn } from '../../../locations/map-link.js';
import { isFarOutside } from '../../../locations/plausibility.js';
import type { ChatField } from './chat-field.js';
import type { ChatText, Span } from './chat-text.js';

/** Words that are looked at as links; more are no order. */
const MAX_LINKS = 8;

const HOSTS = ['://', 'geo:', 'goo.gl/', 'maps.google.', 'google.com/maps', 'waze.com/', 'maps.apple.com'];

/** Written coordinates: two numbers with decimals, or angles. */
const POINT =
  /-?\d{1,3}[.,]\d{3,12}\s{0,2}[,;/ ]\s{0,2}-?\d{1,3}[.,]\d{3,12}|\d{1,3}\s?[°º][^a-z\n]{0,30}[nsewo]\b/g;

/** Takes the map link of a text, or its coordinates; other links are left out. */
export function readLinks(chat: ChatText, country: string): ChatField | undefined {
  const found: string[] = [];
  for (const { start, end } of wordsWithLinks(chat)) {
    const word = chat.at({ start, end });
    const { kind } = readMapLinkIn(word);
    if (kind === 'coordinates' || kind === 'short' || kind === 'place') found.push(linkIn(word));
    chat.take({ start, end });
  }
  const points = [...chat.rest.matchAll(POINT)].slice(0, MAX_LINKS);
  const written = points.map(([text]) => text).join(' ');
  if (found.length === 0 && written !== '') {
    const link = readMapLinkIn(
      points.map(([text], i) => chat.text.slice(points[i]!.index, points[i]!.index + text.length)).join(' '),
    );
    if (link.kind === 'coordinates') found.push(`${link.lat}, ${link.lng}`);
  }
  for (const { 0: text, index } of points)
    if (found.length > 0) chat.take({ start: index, end: index + text.length });
  const [valor, other] = [...new Set(found)];
  if (valor === undefined) return undefined;
  if (other !== undefined) return { valor, nota: 'Hay más de un lugar en el texto; este es el primero.' };
  const link = readMapLinkIn(valor);
  if (link.kind === 'coordinates' && isFarOutside(country, link))
    return { valor, nota: 'Queda lejos de su país. ¿Es el lugar?' };
  return {
    valor,
    ...(link.kind === 'place' && { nota: 'El enlace nombra el lugar, sin su punto en el mapa.' }),
  };
}

function* wordsWithLinks({ rest }: ChatText): Iterable<Span> {
  let count = 0;
  for (const { 0: word, index: start } of rest.matchAll(/\S+/g)) {
    if (!HOSTS.some((host) => word.includes(host))) continue;
    if (++count > MAX_LINKS) return;
    yield { start, end: start + word.length };
  }
}
