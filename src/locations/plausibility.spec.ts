import { iso1A2Code } from '@rapideditor/country-coder';
import fc from 'fast-check';
import { COUNTRY_BOXES } from './country-boxes.js';
import { isFarOutside } from './plausibility.js';

describe('a point far outside of a country', () => {
  it.each<[where: string, country: string, lat: number, lng: number, isFar: boolean]>([
    ['Guatemala City', 'GT', 14.6349, -90.5069, false],
    ['Tapachula, across the border', 'GT', 14.9, -92.26, false],
    ['a minus sign missing', 'GT', 14.6349, 90.5069, true],
    ['swapped', 'GT', -90.5069, 14.6349, true],
    ['Madrid', 'GT', 40.4168, -3.7038, true],
    ['Galápagos', 'EC', -0.74, -90.31, false],
    ['Easter Island', 'CL', -27.1, -109.4, false],
    ['Taveuni, across the antimeridian', 'FJ', -16.8, -179.97, false],
    ['Suva, on this side of it', 'FJ', -18.14, 178.44, false],
    ['between the two sides', 'FJ', -18.14, 0, true],
    ['an unknown country', 'XX', 1, 1, false],
  ])('%s', (_, country, lat, lng, isFar) => {
    expect(isFarOutside(country, { lat, lng })).toBe(isFar);
  });

  it('is never inside the borders of the country', () => {
    const coordinates = fc.record({
      lat: fc.double({ min: -89, max: 89, noNaN: true }),
      lng: fc.double({ min: -179.9, max: 179.9, noNaN: true }),
    });
    fc.assert(
      fc.property(coordinates, (point) => {
        const country = iso1A2Code([point.lng, point.lat]);
        return country === null || !(country in COUNTRY_BOXES) || !isFarOutside(country, point);
      }),
      { numRuns: 5_000 },
    );
  });
});
