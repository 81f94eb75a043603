import fc from 'fast-check';
import { readGeohash } from './geohash.js';
import type { MapLink } from '../reading.js';

const anyHash = (length: number) =>
  fc.string({
    unit: fc.constantFrom(...'0123456789bcdefghjkmnpqrstuvwxyz'),
    minLength: length,
    maxLength: length,
  });

describe('readGeohash', () => {
  it.each([
    ['u4pruydqqvj', 57.64911, 10.40744],
    ['6gkzwgjzn820', -25.382708, -49.265506],
    ['9fxe93s8z', 14.686124, -90.641692],
    ['s00000000001', 0, 0],
  ])('%s', (hash, lat, lng) => {
    expect(readGeohash(hash)).toMatchObject({
      origin: 'geohash',
      lat: expect.closeTo(lat, 4),
      lng: expect.closeTo(lng, 4),
    });
  });

  it('moves the point only within its area with more characters', () => {
    type Point = Extract<MapLink, { kind: 'coordinates' }>;
    fc.assert(
      fc.property(anyHash(8), anyHash(4), (hash, more) => {
        const [coarse, fine] = [readGeohash(hash), readGeohash(hash + more)] as [Point, Point];
        expect(Math.abs(coarse.lat - fine.lat)).toBeLessThanOrEqual(180 / 2 ** 20 / 2);
        expect(Math.abs(coarse.lng - fine.lng)).toBeLessThanOrEqual(360 / 2 ** 20 / 2);
      }),
    );
  });

  it.each([
    ...['', '9fxe93', '9fxe93s8z0000', '9fxe93sa', '9fxe93si', '9fxe93sl', '9fxe93so', '9FXE93S8Z'],
    '9fxe 93s',
  ])('refuses %j, which is too coarse for an address or malformed', (hash) => {
    expect(readGeohash(hash)).toBeUndefined();
  });
});
