import { PLACE, point, UNKNOWN_FORM, view, type MapLink } from '../reading.js';
import { parameter } from './url-parts.js';

const PIN = /\/(?:geo|firm)\/(?:\d{1,20}\/)?(-?[\d.]{1,30}),(-?[\d.]{1,30})(?:\/|$)/;
/** A place by its id, or a search by name. */
const NAMED = /\/(?:geo|firm)\/\d{1,20}(?:\/|$)|\/search\/[^/]/;
const MAP = /^(-?[\d.]{1,30}),(-?[\d.]{1,30})\/([\d.]{1,30})$/;
const CENTER = /\/center\/(-?[\d.]{1,30}),(-?[\d.]{1,30})\/zoom\/([\d.]{1,30})(?:\/|$)/;

/** Longitude first: pins `/geo/LNG,LAT`, `/firm/ID/LNG,LAT`; views `?m=LNG,LAT/17`, `/center/LNG,LAT/zoom/17`. */
export function readTwoGis(url: URL): MapLink {
  const path = url.pathname.replaceAll(/%2c/gi, ',');
  const pin = PIN.exec(path);
  if (pin) return point(pin[2]!, pin[1]!, 'pin');
  const middle = MAP.exec(parameter(url, 'm') ?? '') ?? CENTER.exec(path);
  const found = middle && view(middle[2]!, middle[1]!, middle[3]);
  if (found && found.kind !== 'unknown') return found;
  return NAMED.test(path) ? PLACE : (found ?? UNKNOWN_FORM);
}
