import { at, type MapLink } from '../reading.js';

const ALPHABET = '0123456789bcdefghjkmnpqrstuvwxyz';

/** Seven characters are 150 m; fewer are too coarse for an address. */
const GEOHASH = /^[0-9bcdefghjkmnpqrstuvwxyz]{7,12}$/;

/** The middle of the area of a geohash. */
export function readGeohash(hash: string): MapLink | undefined {
  if (!GEOHASH.test(hash)) return undefined;
  const size = { lat: 180, lng: 360 };
  const corner = { lat: -90, lng: -180 };
  let axis: 'lat' | 'lng' = 'lng';
  for (const character of hash) {
    const five = ALPHABET.indexOf(character);
    for (let bit = 16; bit >= 1; bit /= 2) {
      size[axis] /= 2;
      if (five & bit) corner[axis] += size[axis];
      axis = axis === 'lng' ? 'lat' : 'lng';
    }
  }
  return at(corner.lat + size.lat / 2, corner.lng + size.lng / 2, 'geohash');
}
