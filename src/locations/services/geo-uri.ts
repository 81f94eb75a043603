import { point, unreadable, type MapLink } from '../reading.js';
import { readValue } from '../formats/written-coordinates.js';
import { named } from './url-parts.js';

/** `geo:lat,lng[,altitude]`; some apps encode the comma or add a blank after it. */
const POINT =
  /^geo:(-?[\d.]{1,30})(?:,|%2c)(?:\s|\+|%20)?(-?[\d.]{1,30})(?:(?:,|%2c)(?:\s|\+|%20)?-?[\d.]{1,30})?(?=$|[;?&(\s])/i;

/** RFC 5870 with Android's `geo:0,0?q=lat,lng(label)`: `q` comes before the path, where 0,0 is no point. */
export function readGeoUri(text: string): MapLink {
  const crs = /;crs=([^;?&]{0,40})/i.exec(text)?.[1];
  if (crs !== undefined && crs.toLowerCase() !== 'wgs84') return unreadable('malformed');
  const q = new URLSearchParams(text.slice(text.search(/[?&]|$/) + 1)).get('q')?.trim() ?? '';
  const asked = q === '' ? undefined : readValue(q, 'query');
  if (asked) return asked;
  const path = POINT.exec(text);
  if (!path) return q !== '' && /^geo:[?]/i.test(text) ? named(q) : unreadable('malformed');
  const found = point(path[1]!, path[2]!, 'path');
  const isNowhere = Number(path[1]) === 0 && Number(path[2]) === 0;
  return isNowhere && q !== '' ? named(q) : found;
}
