import { PLACE, point, unsupported, type MapLink } from '../reading.js';
import { parameter, readCoordinates, twoNumbers } from './url-parts.js';

/**
 * `sp=point.LAT_LNG_…` is a pin, `rtp=…~pos.LAT_LNG` a route. `cp=LAT~LNG`, the middle of the map, counts at
 * any zoom, because a link to something else in the view names it in another parameter.
 */
export function readBing(url: URL): MapLink {
  if (!/^\/maps(?:\/|$)/.test(url.pathname)) return unsupported('path');
  const pins = parameter(url, 'sp')?.split('~');
  if (pins) return pins.length === 1 ? readMark(pins[0]!, 'point.') : PLACE;
  const stops = parameter(url, 'rtp')?.split('~');
  if (stops) return stops.length > 1 ? readMark(stops.at(-1)!, 'pos.') : PLACE;
  const asked = readCoordinates(url, 'where1', 'q');
  if (asked) return asked;
  if (parameter(url, 'where1') !== undefined || parameter(url, 'q') !== undefined) return PLACE;
  const middle = twoNumbers(parameter(url, 'cp') ?? '', '~');
  return middle ? point(...middle, 'viewport') : PLACE;
}

function readMark(mark: string, kind: string): MapLink {
  const pair = mark.startsWith(kind) ? twoNumbers(mark.slice(kind.length), '_') : undefined;
  return pair ? point(...pair, 'pin') : PLACE;
}
