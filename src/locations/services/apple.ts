import { PLACE, type MapLink } from '../reading.js';
import { readCoordinates, readParameter } from './url-parts.js';

/** `center` and `sll` only say where to search. */
export function readApple(url: URL): MapLink {
  const destination = readParameter(url, 'daddr') ?? readParameter(url, 'destination');
  if (destination) return destination;
  if (url.searchParams.has('saddr') || url.searchParams.has('source')) return PLACE;
  return readCoordinates(url, 'll', 'coordinate', 'q') ?? PLACE;
}
