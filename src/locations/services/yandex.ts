import { PLACE, point, unsupported, type MapLink } from '../reading.js';
import { shortLink } from './short-links.js';
import { parameter, readCoordinates, twoNumbers } from './url-parts.js';

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
  if (pins) return pins.length === 1 ? readLngLat(pins[0]!, 'pin') : PLACE;
  if (url.searchParams.has('rtext')) return readEnd(parameter(url, 'rtext') ?? '');
  const ll = parameter(url, 'll');
  return ll === undefined ? (readCoordinates(url, 'text') ?? PLACE) : readLngLat(ll, 'viewport');
}

function readEnd(route: string): MapLink {
  const stops = route.split('~');
  const end = stops.length > 1 ? twoNumbers(stops.at(-1)!, ',') : undefined;
  return end ? point(...end, 'pin') : PLACE;
}

function readLngLat(text: string, origin: 'pin' | 'viewport'): MapLink {
  const pair = twoNumbers(text, ',');
  return pair ? point(pair[1], pair[0], origin) : PLACE;
}
