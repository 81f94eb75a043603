import { iso1A2Code } from '@rapideditor/country-coder';
import fc from 'fast-check';
import { COUNTRY_BOXES } from './country-boxes.js';
import { isFarOutside, swappedBack } from './plausibility.js';

describe('a point far outside of a country', () => {
  it.each<[where: string, country: string, lat: number, lng: number, isFar: boolean]>([
    ['Guatemala City', 'GT', 14.6349, -90.5069, false],
    ['Tapachula, across the border', 'GT', 14.9, -92.26, false],
    ['Dos Lagunas, by the northern border', 'GT', 17.71, -89.53, false],
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
    // Not `fc.double`: most of its numbers are next to zero.
    const degrees = (max: number) => fc.integer({ min: -max * 100, max: max * 100 }).map((n) => n / 100);
    const coordinates = fc.record({ lat: degrees(89), lng: degrees(179.9) });
    fc.assert(
      fc.property(coordinates, (point) => {
        const country = iso1A2Code([point.lng, point.lat]);
        return country === null || !(country in COUNTRY_BOXES) || !isFarOutside(country, point);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('swapped coordinates', () => {
  const CAPITAL = { lat: 14.65, lng: -90.5 };
  const CAIRO = { lat: 30.05, lng: 31.25 };
  it.each<
    [
      what: string,
      country: string,
      given: [lat: number, lng: number],
      pickup: typeof CAPITAL | null,
      is: boolean,
    ]
  >([
    ['are recognised by a latitude that does not exist', 'GT', [-90.5133, 14.6407], CAPITAL, true],
    ['are recognised by a place in another country', 'GT', [-89.53, 14.63], null, true],
    ['are not what a missing sign looks like', 'GT', [14.6407, 90.5133], CAPITAL, false],
    ['are not what a place near the pickup point looks like', 'GT', [14.6407, -90.5133], CAPITAL, false],
    ['are not what a place abroad looks like', 'GT', [40.4168, -3.7038], CAPITAL, false],
    ['are recognised near a pickup point abroad', 'GT', [-99.13, 19.43], { lat: 19.4, lng: -99.15 }, true],
    [
      'are recognised by the pickup point where both are inside',
      'CD',
      [28.5, -11],
      { lat: -11, lng: 28 },
      true,
    ],
    ['are not guessed where both are inside and near', 'EG', [31.25, 30.05], CAIRO, false],
    ['are not guessed in an unknown country', 'XX', [14, 15], null, false],
    ['are not what no place at all looks like', 'GT', [-120, 150], CAPITAL, false],
  ])('%s', (_, country, [lat, lng], pickup, isSwapped) => {
    const expected = isSwapped ? { lat: lng, lng: lat } : undefined;
    expect(swappedBack(country, { lat, lng }, pickup)).toEqual(expected);
  });
});
