import { UNKNOWN_FORM, type MapLink } from '../reading.js';
import { readCoordinates, readName, readParameter } from './url-parts.js';

/** `center` and `sll` only say where to search. */
export function readApple(url: URL): MapLink {
  const destination = readParameter(url, 'daddr') ?? readParameter(url, 'destination');
  if (destination) return destination;
  if (url.searchParams.has('saddr') || url.searchParams.has('source')) return UNKNOWN_FORM;
  return (
    readCoordinates(url, 'll', 'coordinate', 'q') ??
    readName(url, 'q', 'address', 'auid', 'place-id', 'name') ??
    UNKNOWN_FORM
  );
}
