/**
 * Reads what people paste as a location. Pure: no request is ever made here.
 *
 * Each map service has its own reader behind exact host names: a pattern such as `*.google.*` would let in
 * anyone who registers a fitting name.
 */

export interface Coordinates {
  /** Degrees, −90 to 90. */
  lat: number;
  /** Degrees, −180 to 180. */
  lng: number;
}

/** Where in the text the coordinates stood, in order of trust. */
export type Origin = 'pin' | 'query' | 'path' | 'viewport' | 'text';

export type MapLink =
  /** A place with coordinates, and where in the text they stood. */
  | ({ kind: 'coordinates'; origin: Origin } & Coordinates)
  /** A link of a known service that certainly has no coordinates: a name, a place id, a far-off view. */
  | { kind: 'place' }
  /** A short link: only its service knows what it stands for. */
  | { kind: 'short' }
  /** A link of something that is not a known map service. */
  | { kind: 'unsupported' }
  /** Neither a link nor coordinates, or coordinates that do not exist. */
  | { kind: 'unreadable' };

type Reader = (url: URL) => MapLink;

/** Characters. */
const MAX_LENGTH = 4_096;

/** Below this zoom the middle of the view may be kilometres from what the person means. */
const MIN_ZOOM = 15;

/** Degrees; more digits than any map writes are no number. */
const NUMBER = String.raw`-?\d{1,4}(?:\.\d{1,20})?`;

const PLACE: MapLink = { kind: 'place' };
const SHORT: MapLink = { kind: 'short' };
const UNSUPPORTED: MapLink = { kind: 'unsupported' };
const UNREADABLE: MapLink = { kind: 'unreadable' };

const READERS = new Map<string, Reader>([
  ...readers(readGoogle, ['google.com', 'www.google.com', 'maps.google.com']),
  ...readers(readGoogle, latinAmericanGoogleHosts()),
  ...readers(() => SHORT, ['maps.app.goo.gl', 'maps.apple']),
  ...readers((url) => (url.pathname.startsWith('/maps/') ? SHORT : UNSUPPORTED), ['goo.gl']),
  ...readers(readWaze, ['waze.com', 'www.waze.com', 'ul.waze.com']),
  ...readers(readApple, ['maps.apple.com']),
]);

/** What a pasted text says about a place. */
export function readMapLink(text: string): MapLink {
  if (text.length > MAX_LENGTH && [...text].length > MAX_LENGTH) return UNREADABLE;
  const trimmed = text.trim();
  const plain = readPair(trimmed, 'text');
  if (plain) return plain;
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return UNREADABLE;
  const url = new URL(trimmed);
  if (url.username !== '' || url.password !== '' || url.port !== '') return UNSUPPORTED;
  return READERS.get(url.hostname)?.(url) ?? UNSUPPORTED;
}

/** The same for a text that may say more than where: the first link in it counts. */
export function readMapLinkIn(text: string): MapLink {
  const whole = readMapLink(text);
  if (whole.kind !== 'unreadable' || text.length > MAX_LENGTH) return whole;
  const link = /https?:\/\/[^\s<>"]{1,4096}/i.exec(text)?.[0].replace(/[.,;:!?)\]]{1,5}$/, '');
  return link === undefined ? UNREADABLE : readMapLink(link);
}

function readers(reader: Reader, hosts: string[]): [string, Reader][] {
  return hosts.map((host) => [host, reader]);
}

function latinAmericanGoogleHosts(): string[] {
  const domains = [
    'com.gt',
    'com.sv',
    'hn',
    'com.ni',
    'co.cr',
    'com.pa',
    'com.mx',
    'com.bz',
    'com.co',
    'com.pe',
    'com.ec',
    'com.bo',
    'cl',
    'com.ar',
    'com.uy',
    'com.py',
    'co.ve',
    'com.br',
    'com.do',
    'com.pr',
    'com.cu',
    'es',
  ];
  return domains.flatMap((domain) => ['', 'www.', 'maps.'].map((label) => `${label}google.${domain}`));
}

function readGoogle(url: URL): MapLink {
  const isMaps = url.hostname.startsWith('maps.') || /^\/maps(\/|$)/.test(url.pathname);
  if (!isMaps) return UNSUPPORTED;
  const found = readPin(url.href) ?? readParameters(url, ['q', 'query', 'll']);
  if (found) return found;
  // The view of a route shows the way, not its end.
  if (url.pathname.startsWith('/maps/dir/')) return readRouteEnd(url) ?? PLACE;
  return readPath(url.pathname, /^\/maps\/(?:place|search)\/([^/]+)/) ?? readViewport(url.pathname) ?? PLACE;
}

function readWaze(url: URL): MapLink {
  return readParameters(url, ['ll']) ?? PLACE;
}

function readApple(url: URL): MapLink {
  return readParameters(url, ['ll', 'q']) ?? PLACE;
}

/** `!3dLAT!4dLNG` in the path's data block. Of several the last is the place; the first is a matched address. */
function readPin(href: string): MapLink | undefined {
  const last = [...href.matchAll(new RegExp(`!3d(${NUMBER})!4d(${NUMBER})(?![\\d.])`, 'g'))].at(-1);
  return last && point(last[1]!, last[2]!, 'pin');
}

/** The destination of a route: `!1dLNG!2dLAT` (longitude first), or the last stop of the path. */
function readRouteEnd(url: URL): MapLink | undefined {
  const last = [...url.href.matchAll(new RegExp(`!1d(${NUMBER})!2d(${NUMBER})(?![\\d.])`, 'g'))].at(-1);
  if (last) return point(last[2]!, last[1]!, 'pin');
  const stops = url.pathname.split('/').slice(3);
  const end = stops
    .filter((stop) => stop !== '' && !stop.startsWith('@') && !stop.startsWith('data='))
    .at(-1);
  return end === undefined ? undefined : readPath(end, /^(.+)$/);
}

/** A pair of coordinates as a part of the path, where a space is written `+`. */
function readPath(path: string, part: RegExp): MapLink | undefined {
  const text = part.exec(path)?.[1];
  return text === undefined ? undefined : readPair(decode(text).replace(/,\+/, ','), 'path');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readParameters(url: URL, names: string[]): MapLink | undefined {
  for (const name of names) {
    const value = url.searchParams.get(name);
    const found = value === null ? undefined : readPair(value.replace(/^loc:/, ''), 'query');
    if (found) return found;
  }
  return undefined;
}

/** `@lat,lng,17z`: the middle of the view. */
function readViewport(path: string): MapLink | undefined {
  const view = new RegExp(`@(${NUMBER}),(${NUMBER}),(\\d{1,2}(?:\\.\\d{1,20})?)z`).exec(path);
  return view && Number(view[3]) >= MIN_ZOOM ? point(view[1]!, view[2]!, 'viewport') : undefined;
}

/** `14.6407,-90.5133`, with or without a space. */
function readPair(text: string, origin: Origin): MapLink | undefined {
  const pair =
    /^\s{0,5}([+-]?\d{1,3}(?:\.\d{1,20})?)\s{0,5},\s{0,5}([+-]?\d{1,3}(?:\.\d{1,20})?)\s{0,5}$/.exec(text);
  return pair ? point(pair[1]!, pair[2]!, origin) : undefined;
}

/** Out of range is refused, never mended by swapping: a wrong pin is a lost parcel. */
function point(latText: string, lngText: string, origin: Origin): MapLink {
  const lat = Number(latText);
  const lng = Number(lngText);
  if (Math.abs(lat) > 90 || Math.abs(lng) > 180 || (lat === 0 && lng === 0)) return UNREADABLE;
  return { kind: 'coordinates', lat, lng, origin };
}
