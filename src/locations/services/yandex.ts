import { PLACE, point, UNKNOWN_FORM, unsupported, type MapLink } from '../reading.js';
import { shortLink } from './short-links.js';
import { parameter, readCoordinates, readName, twoNumbers } from './url-parts.js';

export const YANDEX_HOSTS = ['com', 'ru', 'com.tr', 'by', 'kz', 'uz'].flatMap((domain) =>
  ['', 'www.', 'maps.'].map((label) => `${label}yandex.${domain}`),
);

/**
 * Longitude comes first, except in the stops of a route. A pin has priority over `ll`, the middle of the map,
 * which counts at any zoom, because a link to something else in the view names it in another parameter.
 */
export function readYandex(url: URL): MapLink {
  const isMaps = url.hostname.startsWith('maps.') || /^\/(?:maps|harita)(?:\/|$)/.test(url.pathname);
  if (!isMaps) return unsupported('path');
  if (/^(?:\/maps)?\/-\/[\w~-]{1,64}\/?$/.test(url.pathname)) return shortLink(url);
  const here = parameter(url, 'whatshere[point]');
  if (here !== undefined) return readLngLat(here, 'pin');
  const pins = parameter(url, 'pt')?.split('~');
  if (pins) return pins.length === 1 ? readLngLat(pins[0]!, 'pin') : UNKNOWN_FORM;
  if (url.searchParams.has('rtext')) return readEnd(parameter(url, 'rtext') ?? '');
  const ll = parameter(url, 'll');
  if (ll !== undefined) return readLngLat(ll, 'viewport');
  const isOrganisation = /\/org\/[^/]/.test(url.pathname);
  return (
    readCoordinates(url, 'text') ?? readName(url, 'text', 'oid') ?? (isOrganisation ? PLACE : UNKNOWN_FORM)
  );
}

function readEnd(route: string): MapLink {
  const stops = route.split('~');
  const end = stops.length > 1 ? twoNumbers(stops.at(-1)!, ',') : undefined;
  if (end) return point(...end, 'pin');
  return stops.length > 1 && stops.at(-1) ? PLACE : UNKNOWN_FORM;
}

function readLngLat(text: string, origin: 'pin' | 'viewport'): MapLink {
  const pair = twoNumbers(text, ',');
  return pair ? point(pair[1], pair[0], origin) : UNKNOWN_FORM;
}
