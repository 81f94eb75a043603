import { ifClose, PLACE, UNKNOWN_FORM, unsupported, type MapLink } from '../reading.js';
import { readValue } from '../formats/written-coordinates.js';
import { pointBetweenWords } from '../pasted-text.js';
import { hasPlaceId, readEmbed, readLastStop, readPin, readViewport } from './google-data.js';
import { decoded, named, parameter, readCoordinates, readName, readParameter } from './url-parts.js';

/** Parameters with a place's id. */
const IDS = ['cid', 'ftid', 'place_id', 'query_place_id'];

/** Reads a page of Google Maps: the pin in its data, else the query, the path, or the view, if it is close. */
export function readGoogle(url: URL): MapLink {
  const { pathname } = url;
  if (pathname.startsWith('/sorry/')) return unsupported('captcha');
  const isMaps = url.hostname.startsWith('maps.') || /^\/maps(?:\/|$)/.test(pathname);
  // Google's home page opens the map if the query is coordinates.
  if (!isMaps) return (pathname === '/' && readCoordinates(url, 'q')) || unsupported('path');
  const segments = pathname.split('/').slice(pathname.startsWith('/maps') ? 2 : 1);
  switch (segments[0]) {
    // My Maps and saved lists contain many places.
    case 'd':
    case 'placelists':
      return PLACE;
    case 'dir':
      return readRoute(url, segments.slice(1));
    case 'embed': {
      const pb = parameter(url, 'pb');
      if (pb !== undefined) return readEmbed(pb);
    }
  }
  return readPin(dataOf(url, segments)) ?? readDestination(url) ?? readPlace(url, segments);
}

/** Whether a page is Google's search by name, which short links of things without a place redirect to. */
export function isGoogleSearch({ pathname }: URL): boolean {
  return pathname === '/search' || pathname === '/share.google';
}

/** The end of a route, never its start or its view. */
function readRoute(url: URL, segments: string[]): MapLink {
  const end = segments.findIndex((segment) => segment.startsWith('@') || segment.startsWith('data='));
  const stops = end < 0 ? segments : segments.slice(0, end);
  if (end < 0 && stops.length > 2 && stops.at(-1) === '') stops.pop();
  const last = stops.length > 1 ? readValue(written(stops.at(-1)!), 'path') : undefined;
  const data = dataOf(url, segments);
  const found = last ?? readLastStop(data) ?? readDestination(url);
  if (found) return found;
  const name = stops.length > 1 ? written(stops.at(-1)!) : '';
  return name !== '' ? named(name) : hasPlaceId(data) ? PLACE : UNKNOWN_FORM;
}

function readDestination(url: URL): MapLink | undefined {
  const found = readParameter(url, 'destination') ?? readParameter(url, 'daddr');
  if (found) return found;
  return url.searchParams.has('saddr') || url.searchParams.has('origin') ? UNKNOWN_FORM : undefined;
}

function readPlace(url: URL, segments: string[]): MapLink {
  const [kind = '', name = ''] = segments;
  const asked = readName(url, 'q', 'query');
  const isNamed = asked !== undefined || readName(url, ...IDS) !== undefined;
  const found =
    readCoordinates(url, 'q', 'query') ??
    // With a name or an id, `ll` is only the middle of the view that contains the place.
    (isNamed ? readCenter(url, 'll', 'z') : readCoordinates(url, 'll')) ??
    readPath(kind, name) ??
    readCoordinates(url, 'viewpoint') ??
    readCenter(url, 'center', 'zoom') ??
    (asked ? undefined : readView(segments));
  if (found?.kind === 'coordinates' || found?.kind === 'unreadable') return found;
  return asked ?? (isNamed ? PLACE : undefined) ?? readPlaceName(url, segments) ?? found ?? UNKNOWN_FORM;
}

/** The place that a path names: `/place/Mixco`, `/search/Mixco`, `/place//data=!4m2!3m1!1s0x…`. */
function readPlaceName(url: URL, segments: string[]): MapLink | undefined {
  const [kind, name = ''] = segments;
  if (kind !== 'place' && kind !== 'search') return undefined;
  if (name !== '' && !/^(?:@|data=)/.test(name)) return named(written(name));
  return hasPlaceId(dataOf(url, segments)) ? PLACE : undefined;
}

function readPath(kind: string, name: string): MapLink | undefined {
  if (kind === 'place' || kind === 'search')
    return readValue(written(name), 'path') ?? pointBetweenWords(written(name));
  // Some versions of WhatsApp write `/maps/q=loc:14.6,-90.5 (You)`.
  const assigned = /^(?:q|ll)=([^&]{1,300}?)(?:,z=\d{1,2})?(?:&|$)/.exec(written(kind))?.[1];
  return assigned === undefined ? undefined : readValue(assigned, 'path');
}

function readCenter(url: URL, name: string, zoom: string): MapLink | undefined {
  const center = readCoordinates(url, name);
  return center && ifClose(center, parameter(url, zoom));
}

/** The view of the map or of a place; a search's view shows many places. */
function readView([kind = '', ...rest]: string[]): MapLink | undefined {
  const camera = kind === 'place' ? rest.find((segment) => segment.startsWith('@')) : kind;
  return camera?.startsWith('@') ? readViewport(written(camera)) : undefined;
}

/** The block of numbered fields: `data=!4m5…` in the path, as a parameter, or after `#` in older links. */
function dataOf(url: URL, segments: string[]): string {
  const inPath = segments.find((segment) => segment.startsWith('data='));
  if (inPath !== undefined) return written(inPath);
  const inHash = segments[0] === 'preview' ? /[#&!]data=([^&]{1,4096})/.exec(url.hash)?.[1] : undefined;
  return inHash ? written(inHash) : (parameter(url, 'data') ?? '');
}

/** A decoded part of the path, in which `+` is a blank. */
function written(segment: string): string {
  return decoded(segment.replaceAll('+', ' '));
}
