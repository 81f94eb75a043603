import type { Coordinates } from './reading.js';

/** Metres; the mean radius of the Earth. */
const EARTH_RADIUS_M = 6_371_008.8;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The distance between two points over the Earth's surface (haversine), in whole metres. */
export function metresBetween(a: Coordinates, b: Coordinates): number {
  const [lat, lng] = [radians(b.lat - a.lat), radians(b.lng - a.lng)];
  const haversine =
    Math.sin(lat / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(lng / 2) ** 2;
  // `asin` refuses more than 1, which rounding makes of points on opposite sides of the Earth.
  return Math.round(2 * EARTH_RADIUS_M * Math.asin(Math.sqrt(Math.min(haversine, 1))));
}

/** A length in rounded words: `350 m`, `2 km`. */
export function lengthInWords(metres: number): string {
  if (metres >= 1000) return `${Math.round(metres / 1000)} km`;
  return `${metres >= 100 ? Math.round(metres / 10) * 10 : metres} m`;
}
