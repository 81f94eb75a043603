import { PLACE, point, type MapLink } from '../reading.js';
import { readTwo } from './url-parts.js';

/** `m.uber.com/ul?dropoff[latitude]=…&dropoff[longitude]=…`; `pickup` is where the passenger is. */
export function readUber(url: URL): MapLink {
  const read = (lat: string, lng: string) => point(lat, lng, 'pin');
  return readTwo(url, 'dropoff[latitude]', 'dropoff[longitude]', read) ?? PLACE;
}
