import { readWritten } from './formats/written-coordinates.js';
import type { Coordinates, MapLink } from './reading.js';

/* The parts of a pasted text in which a place may stand, without what people and apps put around it. */

/** Words of a text that are searched for a link. */
const MAX_WORDS = 32;

/** Direction marks and zero-width characters, which apps add around copied text. */
export const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Escapes of pages and programs in place of a character; of numbered ones, those of ASCII. */
const ESCAPED =
  /&(?:amp|lt|gt|quot|nbsp|#0{0,5}(?:3[3-9]|[4-9]\d|1[01]\d|12[0-6])|#x0{0,5}(?:2[1-9a-f]|[3-6][\da-f]|7[\da-e]));|\\u00(?:26|3d|2f)|\\\//gi;

const UNESCAPED: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
  '\\u003d': '=',
  '\\u002f': '/',
  '\\/': '/',
};

/** Times that a text may be escaped. */
const MAX_ESCAPES = 3;

/** A text that a program would run or open as something else is not searched for links. */
const OTHER_URI = /^(?:about|blob|data|file|filesystem|ftp|intent|javascript|mailto|vbscript|view-source):/i;

const LINK_START = /https?:\/\/|geo:/i;

/** A word before a link without its scheme: `link:maps.google.com/?q=…`. */
const LABEL = /^\p{L}{1,40}:(?=[a-z\d.-]{4,60}[/?])/iu;

/** The first of a link's coordinates, cut off by a blank: `https://maps.google.com/?q=14.6407, -90.5133`. */
const SPLIT_PAIR = /([=/:][+−–-]?\d{1,3}[.,]\d{1,20}),[ \t]{1,3}(?=[+−–-]?\d{1,3}[.,]\d)/g;

/** What an address has, and a word or a mark before a link has not: `evil.com/`, `?u=`. */
const ADDRESS = /[/?@%\\]|\.\p{L}{2}/u;

/** Marks, quotes, brackets and emoji around a link. */
const DECORATION =
  /[\s.,;:!?¿¡"'`’»«“”<>*|…\\([{)\]}\p{Extended_Pictographic}\p{Emoji_Modifier}\u{1f1e6}-\u{1f1ff}]|\ufe0f|\u200d|\u20e3/u;

/** Marks of bold, italic and struck text in chats, which are also characters of links. */
const MARKS = /[*_~]{1,4}$/;

const OPENING = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

/** The rest of a page's or a message's tag; no link of a map service contains it. */
const TAG = /%3c|%3e|[<>]|\]\(/i;

/** A text after a link, which a few links of places also contain. */
const TEXT_AFTER = /%22|["“”«»]|\p{Extended_Pictographic}/iu;

/** A text without invisible characters and escapes. */
export function cleaned(pasted: string): string {
  let text = pasted.replace(INVISIBLE, '');
  for (let times = 0; times < MAX_ESCAPES && text.search(ESCAPED) >= 0; times++) text = unescaped(text);
  return text.trim();
}

function unescaped(text: string): string {
  return text.replace(ESCAPED, (escape) => {
    const [, hex, decimal] = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(escape) ?? [];
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCharCode(Number(decimal));
    return UNESCAPED[escape.toLowerCase()] ?? '&';
  });
}

/** The parts of a cleaned text that may be a link: all of it, then each word. */
export function* partsOf(text: string): Iterable<string> {
  yield* candidatesIn(text, '');
  if (OTHER_URI.test(text)) return;
  for (const word of text.replace(SPLIT_PAIR, '$1,%20').split(/\s+/, MAX_WORDS)) {
    const decoded = decodedLink(word);
    const start = startOf(decoded);
    yield* candidatesIn(decoded.slice(start), MARKS.exec(decoded.slice(0, start))?.[0] ?? '');
  }
}

/**
 * A link up to the end that a person sees, without its decoration, and as it stands.
 * @param marks that stand before the link, and so also close it.
 */
function* candidatesIn(text: string, marks: string): Iterable<string> {
  const link = withoutOpening(text);
  yield withoutClosing(upTo(TAG, link), marks);
  const bare = withoutClosing(link, marks);
  yield bare;
  if (bare !== text) yield text;
  yield withoutClosing(upTo(TEXT_AFTER, bare), marks);
}

function upTo(end: RegExp, link: string): string {
  const at = link.search(end);
  return at > 0 ? link.slice(0, at) : link;
}

function decodedLink(word: string): string {
  if (!/^https?%3a%2f%2f/i.test(word)) return word;
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

/**
 * Where the link of a word starts: after `📍`, `[Casa](` or `Ubicación`. Zero for a link inside another one, as in
 * `evil.com/https://…`, which is read as a whole.
 */
function startOf(word: string): number {
  const start = word.search(LINK_START);
  if (start < 0 && !OTHER_URI.test(word)) return LABEL.exec(word)?.[0].length ?? 0;
  if (start <= 0) return 0;
  const before = word.slice(0, start);
  if (word.startsWith('http', start) && !ADDRESS.test(before)) return start;
  return /[\w/,;=&?%@#.\\-]$/.test(before.replace(MARKS, '')) ? 0 : start;
}

/** Without the decoration before it. */
function withoutOpening(text: string): string {
  let start = 0;
  for (const character of text) {
    if (!DECORATION.test(character)) break;
    start += character.length;
  }
  return text.slice(start);
}

/** Without the decoration after it; a closing bracket stays where it belongs to the link. */
function withoutClosing(link: string, marks: string): string {
  const characters = [...link];
  let end = characters.length;
  while (end > 0 && (marks.includes(characters[end - 1]!) || closes(characters, end))) end--;
  return end === characters.length ? link : characters.slice(0, end).join('');
}

/** Whether the last character is decoration. */
function closes(characters: string[], end: number): boolean {
  const last = characters[end - 1]!;
  const opening = OPENING.get(last);
  if (opening === undefined) return DECORATION.test(last);
  let open = 0;
  for (let i = 0; i < end; i++) open += Number(characters[i] === opening) - Number(characters[i] === last);
  return open < 0;
}

/** A run of digits, marks of angles and compass points. */
const RUN = /(?<![\p{L}\d])(?:[NSEWO]\s?)?[+−–-]?\d(?:[\d\s.,;°º˚'"′″’‘”“´+−–-]|[NSEWO](?!\p{L}))*/gu;

const PLUS_CODE =
  /(?<![\p{L}\d])[2-9C][2-9CFGHJMPQRV][2-9CFGHJMPQRVWX]{6}\+[2-9CFGHJMPQRVWX]{2,7}(?![\p{L}\d])/giu;

/** Fewer decimals may be a house number or a price. */
const DECIMALS = /\d[.,]\d{3}/g;

/** The number of a zone, street or house before coordinates, `zona 10 14.6407, -90.5133`, or of something after them. */
const NUMBER_OF_WORD =
  /(?<=\p{L}{2}[.:]?\s)\d{1,3}(?=[\s,]{1,3}[+−–-]?\d{1,3}[.,]\d{3})|(?<=\d[.,]\d{3,20}[\s,]{1,3})\d{1,3}(?=\s\p{L}{2})/gu;

const AXIS_VALUE = String.raw`["']?\s{0,3}[:=.]?\s{0,3}([+−–-]?\d{1,3}(?:[.,]\d{1,20})?\s?[°º˚]?\s?(?:[NSEWO](?!\p{L}))?)`;
const LATITUDE = String.raw`(?<!\p{L})lat(?:itude?)?${AXIS_VALUE}`;
const LONGITUDE = String.raw`(?<!\p{L})(?:lng|lon|long|longitude?)${AXIS_VALUE}`;

/** Coordinates after the names of their axes: `Lat: 14.6407, Lng: -90.5133`, `{"lat":14.6407,"lng":-90.5133}`. */
const LATITUDE_FIRST = new RegExp(`${LATITUDE}[\\s,;|&"']{1,5}${LONGITUDE}`, 'giu');
const LONGITUDE_FIRST = new RegExp(`${LONGITUDE}[\\s,;|&"']{1,5}${LATITUDE}`, 'giu');

/** The one point whose coordinates stand between the words of a text; undefined where there are none, or several. */
export function pointBetweenWords(text: string): MapLink | undefined {
  const unlinked = words(text, /:\/\//)
    .replace(LATITUDE_FIRST, ' $1; $2 ')
    .replace(LONGITUDE_FIRST, ' $2; $1 ');
  const written = words(unlinked, /[/?=@&#]/);
  const unnumbered = written.replace(NUMBER_OF_WORD, '');
  const points = new Map<string, MapLink & Coordinates>();
  for (const [run] of [
    ...written.matchAll(RUN),
    ...unnumbered.matchAll(RUN),
    ...written.matchAll(PLUS_CODE),
  ]) {
    const found = readRun(run);
    if (found?.kind === 'coordinates') points.set(`${found.lat},${found.lng}`, found);
  }
  return points.size === 1 ? [...points.values()][0] : undefined;
}

/** The words of a text without those that match. */
function words(text: string, unwanted: RegExp): string {
  const all = text.split(/\s+/);
  return all.filter((word) => !unwanted.test(word)).join(' ');
}

function readRun(run: string): MapLink | undefined {
  const text = run.replace(/^[\s.,;+]+/, '').trimEnd();
  const bare = text.replace(/[°º˚]/.test(text) ? /[.,;–-]{1,5}$/ : /[.,;"'”’–-]{1,5}$/, '');
  const isFine = /[°º˚+]/.test(bare) || (bare.match(DECIMALS) ?? []).length >= 2;
  return isFine ? readWritten(bare, 'text') : undefined;
}
