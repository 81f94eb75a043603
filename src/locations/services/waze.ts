import { PLACE, unsupported, type MapLink } from '../reading.js';
import { readGeohash } from '../formats/geohash.js';
import { readValue } from '../formats/written-coordinates.js';
import { parameter, readCoordinates } from './url-parts.js';

/** `ul?ll=`, `live-map/directions?to=ll.LAT,LNG`, `ul/h<geohash>`, `live-map?h=<geohash>`. */
export function readWaze(url: URL): MapLink {
  const { pathname } = url;
  const to = parameter(url, 'to');
  if (to !== undefined) return (to.startsWith('ll.') && readValue(to.slice(3), 'query')) || PLACE;
  const found = readCoordinates(url, 'll', 'latlng');
  if (found) return found;
  const hash = /^\/ul\/h([0-9a-z]{1,20})\/?$/i.exec(pathname)?.[1] ?? parameter(url, 'h');
  if (hash !== undefined) return readGeohash(hash.toLowerCase()) ?? PLACE;
  return /^\/(?:[a-z]{2}(?:-[\w]{2,4})?\/)?(?:ul|live-?map)(?:\/|$)/i.test(pathname)
    ? PLACE
    : unsupported('path');
}
