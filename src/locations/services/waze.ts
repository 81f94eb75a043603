import { FAR_VIEW, PLACE, UNKNOWN_FORM, unsupported, view, type MapLink } from '../reading.js';
import { readGeohash } from '../formats/geohash.js';
import { readValue } from '../formats/written-coordinates.js';
import { parameter, readCoordinates, readName, readTwo } from './url-parts.js';

/** A page of Waze's map; the group is the place that a route's page names. */
const PAGE = /^\/(?:[a-z]{2}(?:-\w{2,4})?\/)?(?:ul|live-?map(?:\/directions\/?([^/]*))?|iframe)?(?:\/|$)/i;

/**
 * `ul?ll=`, `live-map/directions?to=ll.LAT,LNG`, `livemap?lat=&lon=`, `ul/h<geohash>`, `live-map?h=<geohash>`. An
 * embedded map, `iframe?lat=&lon=`, and the short host `waze.to` have the same parameters.
 */
export function readWaze(url: URL): MapLink {
  const { pathname } = url;
  const to = parameter(url, 'to');
  if (to?.startsWith('ll.')) return readValue(to.slice(3), 'query') ?? UNKNOWN_FORM;
  if (to !== undefined) return to.startsWith('place.') ? PLACE : UNKNOWN_FORM;
  const found = readCoordinates(url, 'll', 'latlng') ?? readMiddle(url);
  if (found) return found;
  const hash = /^\/ul\/h([0-9a-z]{1,20})\/?$/i.exec(pathname)?.[1] ?? parameter(url, 'h');
  if (hash !== undefined) return readGeohash(hash.toLowerCase()) ?? FAR_VIEW;
  const page = PAGE.exec(pathname);
  if (!page) return unsupported('path');
  return page[1] ? PLACE : (readName(url, 'venue_id', 'place', 'q') ?? UNKNOWN_FORM);
}

/** The middle of a map without another place. */
function readMiddle(url: URL): MapLink | undefined {
  const zoom = parameter(url, 'zoom') ?? parameter(url, 'z');
  const east = ['lon', 'lng'].find((name) => url.searchParams.has(name)) ?? 'lon';
  return readTwo(url, 'lat', east, (lat, lng) => view(lat, lng, zoom));
}
