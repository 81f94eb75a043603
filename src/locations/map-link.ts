import { parseUrl } from '../platform/config/parse-url.js';
import { isShortPlusCode } from './formats/plus-code.js';
import { cleaned, partsOf, pointBetweenWords } from './pasted-text.js';
import { PLACE, unreadable, unsupported, type MapLink } from './reading.js';
import { readApple } from './services/apple.js';
import { readBing } from './services/bing.js';
import { readTwoGis } from './services/two-gis.js';
import { readGeoUri } from './services/geo-uri.js';
import { GOOGLE_CONSENT_HOSTS, GOOGLE_HOSTS } from './services/google-domains.js';
import { isGoogleSearch, readGoogle } from './services/google.js';
import { readHere } from './services/here.js';
import { readOsm } from './services/osm.js';
import { readPlusCodes } from './services/plus-codes.js';
import { readShortLink, SHORT_LINK_HOSTS } from './services/short-links.js';
import { readUber } from './services/uber.js';
import { isAmbiguous, parameter } from './services/url-parts.js';
import { readWaze } from './services/waze.js';
import { readYandex, YANDEX_HOSTS } from './services/yandex.js';
import { readPlainText } from './formats/written-coordinates.js';

type Reader = (url: URL) => MapLink;

/** Characters. */
const MAX_LENGTH = 4_096;

/** Depth of links inside a link, such as Google's consent page around a forwarding link. */
const MAX_WRAPPERS = 2;

/** The reader of each map service, by exact host name: anyone can register a domain that matches `*.google.*`. */
const READERS = new Map<string, Reader>([
  ...readers(readGoogle, GOOGLE_HOSTS),
  // Google redirects clients that send too many requests here.
  ...readers(() => unsupported('captcha'), ['ipv4.google.com', 'ipv6.google.com']),
  ...readers(readShortLink, SHORT_LINK_HOSTS),
  ...readers(readWaze, ['waze.com', 'www.waze.com', 'ul.waze.com', 'embed.waze.com', 'waze.to']),
  ...readers(readApple, ['maps.apple.com']),
  ...readers(readOsm, ['openstreetmap.org', 'www.openstreetmap.org', 'osm.org', 'www.osm.org']),
  ...readers(readBing, ['bing.com', 'www.bing.com']),
  ...readers(readHere, ['share.here.com', 'wego.here.com', 'here.com', 'www.here.com']),
  ...readers(readYandex, YANDEX_HOSTS),
  ...readers(readTwoGis, ['2gis.ru', '2gis.com', '2gis.kz', '2gis.kg', '2gis.uz', '2gis.ae', '2gis.cl']),
  ...readers(readUber, ['m.uber.com']),
  ...readers(readPlusCodes, ['plus.codes']),
  // A search result never contains coordinates: read it as a place.
  ...readers(() => PLACE, ['share.google']),
  // Three words and venues cannot be looked up: no place.
  ...readers(
    () => unsupported('host'),
    ['what3words.com', 'www.what3words.com', 'w3w.co', 'foursquare.com', 'www.foursquare.com'],
  ),
]);

/** Forwarding hosts and the parameter that holds the link. The link is read from it, without a request. */
const WRAPPERS = new Map<string, string>([
  ...GOOGLE_CONSENT_HOSTS.map((host): [string, string] => [host, 'continue']),
  ['maps.app.goo.gl', 'link'],
]);

/** Apps and mail programs that put a link into one of their own: its path, and the parameter with the link. */
const FORWARDERS: readonly [host: RegExp, path: RegExp, names: readonly string[]][] = [
  [/^(?:l|lm)\.(?:facebook|instagram)\.com$/, /^\/(?:l\.php)?$/, ['u']],
  [/^l\.(?:messenger|threads|wl\.co|whatsapp)(?:\.com|\.net)?$|^l\.wl\.co$/, /^\/(?:l(?:\.php)?)?$/, ['u']],
  [/^(?:[a-z\d-]{1,20}\.)?safelinks\.protection\.outlook\.com$/, /^\/(?:ap\/[\w-]{1,40}\/?)?$/, ['url']],
  [/^(?:www\.)?google\.com(?:\.[a-z]{2})?$/, /^\/url$/, ['q', 'url']],
];

/** The link inside a forwarder's. */
function forwarded(url: URL): string | undefined {
  const names = FORWARDERS.find(([host, path]) => host.test(url.hostname) && path.test(url.pathname))?.[2];
  return names?.map((name) => parameter(url, name)).find((link) => link && /^https?:\/\//i.test(link));
}

/** Reads a pasted text as a whole, as one link or as coordinates. Never throws. */
export function readMapLink(pasted: string): MapLink {
  if (isTooLong(pasted)) return unreadable('length');
  const text = cleaned(pasted);
  return readLink(text, MAX_WRAPPERS) ?? readWithoutLink(text);
}

function readWithoutLink(text: string): MapLink {
  return readPlainText(text) ?? unreadable(isShortPlusCode(text) ? 'short_code' : 'text');
}

/** The kinds of readings, most useful first. */
const USEFUL: readonly MapLink['kind'][] = [
  'coordinates',
  'short',
  'place',
  'unknown',
  'unsupported',
  'unreadable',
];

/** A reading and the part of the text that it is of. */
interface Found {
  link: MapLink;
  part: string;
}

/** Like `readMapLink` for a text with other words: reads its best link, or coordinates between the words. */
export function readMapLinkIn(pasted: string): MapLink {
  return find(pasted).link;
}

/** The part of a pasted text that names a place; all of the text where none does. */
export function linkIn(pasted: string): string {
  return find(pasted).part;
}

function find(pasted: string): Found {
  if (isTooLong(pasted)) return { link: unreadable('length'), part: pasted };
  const text = cleaned(pasted);
  const joined = joinedLink(text);
  if (joined !== undefined) {
    const link = readLink(joined, MAX_WRAPPERS);
    if (link && (link.kind === 'coordinates' || link.kind === 'short')) return { link, part: joined };
  }
  let best: Found | undefined;
  for (const part of partsOf(text)) {
    const link = readLink(part, MAX_WRAPPERS);
    // Coordinates inside a link's name are kept as a fallback: a later part may have a better point.
    if (link?.kind === 'coordinates' && link.origin !== 'text') return { link, part };
    if (link && (!best || USEFUL.indexOf(link.kind) < USEFUL.indexOf(best.link.kind))) best = { link, part };
  }
  const point = best?.link.kind === 'coordinates' ? undefined : pointBetweenWords(text);
  if (point) return { link: point, part: text };
  return best ?? { link: readWithoutLink(text), part: text };
}

/** A link without a blank that a line break cuts at a place where no link ends. */
const CUT_LINK = /^(https?:\/\/[^\s]{1,2000}[/=,.?&@%-])[ \t]{0,5}\r?\n[ \t]{0,5}([\w.,%+-][^\s]{0,2000})$/i;

function joinedLink(text: string): string | undefined {
  const [, start, end] = CUT_LINK.exec(text) ?? [];
  return start === undefined || end === undefined || end.includes('://') ? undefined : start + end;
}

/**
 * Reads a map service's redirect of a short link.
 * @param location the `Location` header as received; resolved against `base`, the requested URL.
 */
export function readRedirect(location: string, base: string): MapLink {
  if (isTooLong(location)) return unreadable('length');
  const url = parseUrl(location, base);
  if (!url) return unreadable('text');
  if (url.protocol === 'geo:') return readGeoUri(url.href);
  const found = readUrl(url, MAX_WRAPPERS);
  // The short link of something without a place on the map redirects to a search for its name.
  const isSearch = found.kind === 'unsupported' && found.reason === 'path' && isGoogleSearch(url);
  return isSearch ? PLACE : found;
}

/** Undefined if the text is not a link. */
function readLink(text: string, wrappers: number): MapLink | undefined {
  if (/^geo:/i.test(text)) return readGeoUri(text);
  const hasScheme = /^https?:\/\//i.test(text);
  const link = hasScheme ? text : `https://${text}`;
  if ((!hasScheme && !startsWithKnownHost(text)) || isBroken(link)) return undefined;
  const url = parseUrl(link);
  if (!url) return undefined;
  const found = readUrl(url, wrappers);
  // Without a scheme a link must name a place: `google.com/maps` alone is only the service's name.
  // The words after a short link are no part of it.
  if (found.kind === 'short' && /\s/.test(text)) return undefined;
  const isName = found.kind === 'place' || found.kind === 'unknown' || found.kind === 'unsupported';
  return hasScheme || !isName ? found : undefined;
}

function readUrl(url: URL, wrappers: number): MapLink {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return unsupported('scheme');
  if (url.username !== '' || url.password !== '') return unsupported('credentials');
  if (url.port !== '') return unsupported('port');
  if (isAmbiguous(url)) return unreadable('ambiguous');
  const link = forwarded(url);
  if (link !== undefined) return (wrappers > 0 && readLink(link, wrappers - 1)) || unsupported('wrapper');
  const name = WRAPPERS.get(url.hostname);
  const inner = name === undefined ? undefined : parameter(url, name);
  if (inner !== undefined && (name === 'continue' || url.pathname === '/'))
    return (wrappers > 0 && readLink(inner, wrappers - 1)) || unsupported('wrapper');
  return READERS.get(url.hostname)?.(url) ?? unsupported('host');
}

function readers(reader: Reader, hosts: readonly string[]): [string, Reader][] {
  return hosts.map((host) => [host, reader]);
}

/** Whether a text without a scheme starts with a known host, as in `www.google.com/maps?q=…`. */
function startsWithKnownHost(text: string): boolean {
  const host = /^([a-z0-9.-]{4,60})[/?]/i.exec(text)?.[1];
  return host !== undefined && READERS.has(host.toLowerCase());
}

/** Whether the text has a second link, or a line break or tab, which URL parsers drop even in a host. */
function isBroken(link: string): boolean {
  const blank = link.search(/\s/);
  return blank >= 0 && (/[\t\r\n]/.test(link) || link.indexOf('://', blank) >= 0);
}

function isTooLong(text: string): boolean {
  return text.length > MAX_LENGTH && (text.length > 2 * MAX_LENGTH || [...text].length > MAX_LENGTH);
}
