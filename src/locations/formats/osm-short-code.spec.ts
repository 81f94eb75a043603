import { readOsmShortCode } from './osm-short-code.js';

describe('readOsmShortCode', () => {
  it.each([
    ['0EEQjE--', 51.510772705078125, 0.054931640625],
    ['0EEQjE==', 51.510772705078125, 0.054931640625],
    ['NuJWxJh-', -16.23152732849121, -49.08348083496094],
    ['TyFYuF6P~~-', 34.9939, -106.62103],
    ['TyFYuF6P@@--', 34.9939, -106.62103],
    ['S7o_O~MOy', 14.34216, -90.74802],
  ])('%s', (code, lat, lng) => {
    expect(readOsmShortCode(code)).toMatchObject({
      origin: 'geohash',
      lat: expect.closeTo(lat, 4),
      lng: expect.closeTo(lng, 4),
    });
  });

  it.each(['', 'TyFS--', '~~~~', '0EEQjE----', '0EEQ/jE', '0EEQjEEQjEE', '0EE-QjE', '0EEQjE--x'])(
    'refuses %j, which is too coarse for an address or malformed',
    (code) => {
      expect(readOsmShortCode(code)).toBeUndefined();
    },
  );
});
