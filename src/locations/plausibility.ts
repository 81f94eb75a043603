import { COUNTRY_BOXES } from './country-boxes.js';
import type { Coordinates } from './map-link.js';

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
