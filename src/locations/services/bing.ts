import { PLACE, point, UNKNOWN_FORM, unsupported, type MapLink } from '../reading.js';
import { parameter, readCoordinates, readName, twoNumbers } from './url-parts.js';

/** A place by its id or address. */
const NAMED = /^(?:ypid|adr)\./;

/**
 * `sp=point.LAT_LNG_…` is a pin, `rtp=…~pos.LAT_LNG` a route. `cp=LAT~LNG`, the middle of the map, counts at
 * any zoom, because a link to something else in the view names it in another parameter.
 */
export function readBing(url: URL): MapLink {
  if (!/^\/maps(?:\/|$)/.test(url.pathname)) return unsupported('path');
  const pins = parameter(url, 'sp')?.split('~');
  if (pins) return pins.length === 1 ? readMark(pins[0]!, 'point.') : UNKNOWN_FORM;
  const stops = parameter(url, 'rtp')?.split('~');
  if (stops) return stops.length > 1 ? readMark(stops.at(-1)!, 'pos.') : UNKNOWN_FORM;
  const asked = readCoordinates(url, 'where1', 'q');
  if (asked) return asked;
  const name = readName(url, 'where1', 'q', 'ss');
  if (name) return name;
  const middle = twoNumbers(parameter(url, 'cp') ?? '', '~');
  return middle ? point(...middle, 'viewport') : UNKNOWN_FORM;
}

function readMark(mark: string, kind: string): MapLink {
  const pair = mark.startsWith(kind) ? twoNumbers(mark.slice(kind.length), '_') : undefined;
  if (pair) return point(...pair, 'pin');
  return NAMED.test(mark) ? PLACE : UNKNOWN_FORM;
}
