import { readOsmShortCode } from '../formats/osm-short-code.js';
import { FAR_VIEW, PLACE, point, UNKNOWN_FORM, view, type MapLink } from '../reading.js';
import { readValue } from '../formats/written-coordinates.js';
import { decoded, named, parameter, readCoordinates, readName, readParameter, readTwo } from './url-parts.js';

/** Reads the marker, a short code or the end of a route, else a close view that is of neither a search nor an element. */
export function readOsm(url: URL): MapLink {
  const marker = readTwo(url, 'mlat', 'mlon', (lat, lng) => point(lat, lng, 'pin'));
  if (marker) return marker;
  const code = /^\/go\/([^/]{1,40})\/?$/.exec(url.pathname)?.[1];
  if (code !== undefined) return readOsmShortCode(decoded(code)) ?? FAR_VIEW;
  if (/^\/(?:node|way|relation)\//.test(url.pathname)) return PLACE;
  if (url.pathname.startsWith('/directions')) return readRoute(url);
  const zoom = parameter(url, 'zoom') ?? parameter(url, 'z');
  const middle = readTwo(url, 'lat', 'lon', (lat, lng) => view(lat, lng, zoom));
  if (middle) return middle;
  const asked = readCoordinates(url, 'query');
  if (asked) return asked;
  const name = readName(url, 'query');
  if (name) return name;
  const map = /^#(?:map=)?([^/&]{1,30})\/([^/&]{1,40})\/([^/&]{1,40})(?:&|$)/.exec(decoded(url.hash));
  return map ? view(map[2]!, map[3]!, map[1]) : UNKNOWN_FORM;
}

function readRoute(url: URL): MapLink {
  const to = readParameter(url, 'to');
  if (to) return to;
  const end = parameter(url, 'route')?.split(';').at(-1);
  return end ? (readValue(end, 'query') ?? named(end)) : UNKNOWN_FORM;
}
