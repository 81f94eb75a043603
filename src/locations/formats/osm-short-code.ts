import { at, type MapLink } from '../reading.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_~';

/**
 * Six characters are 150 m; fewer are too coarse for an address. Old codes have `@` for `~` and `=` for `-`;
 * the trailing marks only give the zoom.
 */
const CODE = /^([A-Za-z0-9_~@]{6,10})[-=]{0,3}$/;

/** The corner of the area of an OpenStreetMap short code, which is the point that openstreetmap.org shows. */
export function readOsmShortCode(text: string): MapLink | undefined {
  const code = CODE.exec(text)?.[1];
  if (code === undefined) return undefined;
  let [lng, lat, size] = [0, 0, 1];
  for (const character of code.replaceAll('@', '~')) {
    const six = ALPHABET.indexOf(character);
    for (let shift = 5; shift > 0; shift -= 2) {
      size /= 2;
      if ((six >> shift) & 1) lng += size;
      if ((six >> (shift - 1)) & 1) lat += size;
    }
  }
  return at(lat * 180 - 90, lng * 360 - 180, 'geohash');
}
