import { point, UNKNOWN_FORM, type MapLink } from '../reading.js';
import { readName, readTwo } from './url-parts.js';

/** `m.uber.com/ul?dropoff[latitude]=…&dropoff[longitude]=…`; `pickup` is where the passenger is. */
export function readUber(url: URL): MapLink {
  const read = (lat: string, lng: string) => point(lat, lng, 'pin');
  return (
    readTwo(url, 'dropoff[latitude]', 'dropoff[longitude]', read) ??
    readName(url, 'dropoff[formatted_address]', 'dropoff[nickname]') ??
    UNKNOWN_FORM
  );
}
