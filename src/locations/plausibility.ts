import { COUNTRY_BOXES } from './country-boxes.js';
import type { Coordinates } from './reading.js';

/** Degrees, about 50 km: parcels cross borders, and the boxes are coarse. */
const MARGIN = 0.5;

/** Whether a point is far outside a country: usually a minus sign is missing or the axes are swapped. */
export function isFarOutside(country: string, { lat, lng }: Coordinates): boolean {
  const box = COUNTRY_BOXES[country];
  if (!box) return false;
  const [south, west, north, east] = box;
  if (lat < south - MARGIN || lat > north + MARGIN) return true;
  const width = (east - west + 360) % 360;
  return (lng - west + MARGIN + 720) % 360 > width + 2 * MARGIN;
}

/** The middle of a country, where a map begins. */
export function middleOf(country: string): Coordinates {
  const [south, west, north, east] = COUNTRY_BOXES[country] ?? [0, 0, 0, 0];
  return { lat: (south + north) / 2, lng: west + ((east - west + 360) % 360) / 2 };
}

/** Degrees from the pickup point; few parcels go further. */
const NEAR = 3;
const DISTANT = 10;

/**
 * The point with its axes swapped, if only the swapped point is plausible for a delivery in a country: inside it, or near
 * the pickup point. Undefined if the point is plausible as it is, or neither way. `lat` may be any number.
 */
export function swappedBack(
  country: string,
  point: Coordinates,
  pickup: Coordinates | null,
): Coordinates | undefined {
  const swapped = { lat: point.lng, lng: point.lat };
  if (!isOnEarth(swapped) || !isPlausible(country, swapped, pickup)) return undefined;
  if (!isOnEarth(point) || !isPlausible(country, point, pickup)) return swapped;
  // Both lie in the country.
  const decides = pickup && isWithin(NEAR, pickup, swapped) && !isWithin(DISTANT, pickup, point);
  return decides ? swapped : undefined;
}

function isPlausible(country: string, point: Coordinates, pickup: Coordinates | null): boolean {
  return !isFarOutside(country, point) || (pickup !== null && isWithin(NEAR, pickup, point));
}

function isOnEarth({ lat, lng }: Coordinates): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
}

function isWithin(degrees: number, a: Coordinates, b: Coordinates): boolean {
  const east = Math.abs(a.lng - b.lng) % 360;
  return Math.abs(a.lat - b.lat) <= degrees && Math.min(east, 360 - east) <= degrees;
}
