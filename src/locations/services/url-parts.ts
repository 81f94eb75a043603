import { PLACE, unreadable, type MapLink } from '../reading.js';
import { readValue } from '../formats/written-coordinates.js';

/** Parameters that say where, in any service. */
const WHERE = new Set(
  `center continue coordinate cp daddr data destination dropoff[latitude] dropoff[longitude] h lat latlng link ll lon
  m map mlat mlon pb pt q query route rtext rtp sp to viewpoint whatshere[point] where1`.split(/\s+/),
);

/** One of them twice with different values: which one a service takes is anyone's guess. */
export function isAmbiguous(url: URL): boolean {
  if (url.search === '') return false;
  const seen = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (!WHERE.has(name)) continue;
    if (seen.has(name) && seen.get(name) !== value) return true;
    seen.set(name, value);
  }
  return false;
}

/** A parameter's value; undefined where it is missing or empty. */
export function parameter(url: URL, name: string): string | undefined {
  return url.searchParams.get(name)?.trim() || undefined;
}

/** What a parameter says: coordinates, broken ones, or a place by its name; undefined where it is missing. */
export function readParameter(url: URL, name: string): MapLink | undefined {
  const value = parameter(url, name);
  return value === undefined ? undefined : (readValue(value, 'query') ?? PLACE);
}

/** What the first of several parameters with coordinates says; undefined where they hold but names. */
export function readCoordinates(url: URL, ...names: string[]): MapLink | undefined {
  for (const name of names) {
    const found = readParameter(url, name);
    if (found && found.kind !== 'place') return found;
  }
  return undefined;
}

/** `lat,lng` from two parameters; undefined where neither is there. */
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

/** Two numbers as a service writes them, whatever stands between: `14.6~-90.5`, `-90.5,14.6/17`. */
export function twoNumbers(text: string, separator: string): [string, string] | undefined {
  const parts = text.split(separator);
  return parts.length >= 2 ? [parts[0]!.trim(), parts[1]!.trim()] : undefined;
}

/** A part of a path or fragment; as it stands where its escapes are broken. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
