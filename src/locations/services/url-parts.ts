import { PLACE, unreadable, type MapLink } from '../reading.js';
import { INVISIBLE, pointBetweenWords } from '../pasted-text.js';
import { isShortPlusCode } from '../formats/plus-code.js';
import { readValue } from '../formats/written-coordinates.js';

/** The parameters of all services that name a place. */
const PLACE_PARAMETERS = new Set(
  `center continue coordinate cp daddr data destination dropoff[latitude] dropoff[longitude] h lat latlng link ll lon
  m map mlat mlon pb pt q query route rtext rtp sp to viewpoint whatshere[point] where1`.split(/\s+/),
);

/** Whether such a parameter has two different values: services do not document which one they use. */
export function isAmbiguous(url: URL): boolean {
  if (url.search === '') return false;
  const seen = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (!PLACE_PARAMETERS.has(name)) continue;
    if (seen.has(name) && seen.get(name) !== value) return true;
    seen.set(name, value);
  }
  return false;
}

/** A parameter's value without invisible characters; undefined if it is missing or empty. */
export function parameter(url: URL, name: string): string | undefined {
  return url.searchParams.get(name)?.replace(INVISIBLE, '').trim() || undefined;
}

/** Reads a parameter as coordinates, malformed coordinates or a place's name; undefined if it is missing. */
export function readParameter(url: URL, name: string): MapLink | undefined {
  const value = parameter(url, name);
  return value === undefined ? undefined : (readValue(value, 'query') ?? named(value));
}

/** Two numbers with four decimals or more are coordinates that cannot be read, not a name. */
const COORDINATES = /(?<![\d.,])\d{1,3}[.,]\d{4}/g;

/** A place's name or address. One that contains coordinates is their point: it must not be kept as a place without one. */
export function named(name: string): MapLink {
  const found = pointBetweenWords(name);
  if (found) return found;
  if ((name.match(COORDINATES) ?? []).length > 1) return unreadable('malformed');
  return isShortPlusCode(name) ? { kind: 'unknown', reason: 'short_code' } : PLACE;
}

/** The place that the first of several parameters names; undefined if all are missing. */
export function readName(url: URL, ...names: string[]): MapLink | undefined {
  const value = names.map((name) => parameter(url, name)).find((found) => found !== undefined);
  return value === undefined ? undefined : named(value);
}

/** Reads the first of several parameters that has coordinates, even malformed ones; undefined if none has. */
export function readCoordinates(url: URL, ...names: string[]): MapLink | undefined {
  for (const name of names) {
    const found = readParameter(url, name);
    if (found?.kind === 'coordinates' || found?.kind === 'unreadable') return found;
  }
  return undefined;
}

/** Reads a point from two parameters; undefined if both are missing. */
export function readTwo(
  url: URL,
  latName: string,
  lngName: string,
  read: (lat: string, lng: string) => MapLink,
): MapLink | undefined {
  const [lat, lng] = [parameter(url, latName), parameter(url, lngName)];
  if (lat === undefined && lng === undefined) return undefined;
  return lat === undefined || lng === undefined ? unreadable('malformed') : read(lat, lng);
}

/** The first two parts of a text: `14.6~-90.5`, `-90.5,14.6`. */
export function twoNumbers(text: string, separator: string): [string, string] | undefined {
  const parts = text.split(separator);
  return parts.length >= 2 ? [parts[0]!.trim(), parts[1]!.trim()] : undefined;
}

/** Decodes a part of a path or fragment, without invisible characters; returns it unchanged if its escapes are malformed. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text).replace(INVISIBLE, '');
  } catch {
    return text;
  }
}
