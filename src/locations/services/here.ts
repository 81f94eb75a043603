import { PLACE, point, UNKNOWN_FORM, view, type MapLink } from '../reading.js';
import { parameter } from './url-parts.js';

/** `share.here.com/l/lat,lng,Name`; a place in base64, `/p/…`; the middle of the map, `?map=lat,lng,zoom`. */
export function readHere(url: URL): MapLink {
  const shared = /^\/l\/([^/]{1,400})$/.exec(url.pathname)?.[1];
  if (shared !== undefined) return readPair(shared, (lat, lng) => point(lat, lng, 'pin'));
  const packed = /^\/p\/[a-z]-([\w+/=-]{1,2000})$/.exec(url.pathname)?.[1];
  if (packed !== undefined) return readPacked(Buffer.from(packed, 'base64').toString());
  const map = parameter(url, 'map');
  return map === undefined ? UNKNOWN_FORM : readPair(map, view);
}

function readPair(text: string, read: (lat: string, lng: string, third?: string) => MapLink): MapLink {
  const [lat, lng, third] = text.replaceAll(/%2c/gi, ',').split(',');
  return lat !== undefined && lng !== undefined ? read(lat.trim(), lng.trim(), third) : UNKNOWN_FORM;
}

/** `id=…;lat=14.6;lon=-90.5;n=Name`, or JSON with `latitude` and `longitude`. */
function readPacked(text: string): MapLink {
  const [lat, lng] = [
    /(?:^|[;"])lat(?:itude)?"?[=:]([^;,}]{1,40})/,
    /(?:^|[;"])lon(?:gitude)?"?[=:]([^;,}]{1,40})/,
  ].map((field) => field.exec(text)?.[1]);
  if (lat !== undefined && lng !== undefined) return point(lat, lng, 'pin');
  return /(?:^|[;"])id"?[=:]/.test(text) ? PLACE : UNKNOWN_FORM;
}
