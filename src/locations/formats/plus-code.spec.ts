import { readPlusCode } from './plus-code.js';

const SOUTH_WEST_AND_NORTH_EAST: [code: string, south: number, west: number, north: number, east: number][] =
  [
    ['7FG49QCJ+2V', 20.37, 2.782125, 20.370125, 2.78225],
    ['7FG49QCJ+2VX', 20.3701, 2.78221875, 20.370125, 2.78225],
    ['7FG49QCJ+2VXGJ', 20.370113, 2.782234375, 20.370114, 2.78223632813],
    ['8FVC2222+22', 47.0, 8.0, 47.000125, 8.000125],
    ['4VCPPQGP+Q9', -41.273125, 174.785875, -41.273, 174.786],
    ['22222222+22', -90, -180, -89.999875, -179.999875],
    ['CFX3X2X2+X2', 89.999875, 1, 90, 1.000125],
  ];

describe('readPlusCode', () => {
  it.each(SOUTH_WEST_AND_NORTH_EAST)(
    'reads %s as the middle of its area',
    (code, south, west, north, east) => {
      expect(readPlusCode(code)).toMatchObject({
        kind: 'coordinates',
        origin: 'plus_code',
        lat: expect.closeTo((south + north) / 2, 9),
        lng: expect.closeTo((west + east) / 2, 9),
      });
    },
  );

  it.each(['765cwvrm+9f', '765CWVRM+9F Mixco, Guatemala', '765CWVRM+9F, Mixco'])('reads %s', (text) => {
    expect(readPlusCode(text)).toMatchObject({ lat: 13.9409375, lng: -91.1163125 });
  });

  it.each([
    ['a short code needs a place to start from', 'WVRM+9F Mixco'],
    ['a padded code is kilometres wide', '765CWV00+'],
    ['eight digits are 275 m', '765CWVRM+'],
    ['one digit after the plus', '765CWVRM+9'],
    ['more digits than there are', '765CWVRM+9FFFFFFF'],
    ['a letter that no code has', '765CWVRM+9A'],
    ['a latitude beyond the pole', 'F65CWVRM+9F'],
    ['a longitude beyond 180', '7X5CWVRM+9F'],
    ['no plus', '765CWVRM9F'],
    ['a word before it', 'Mixco 765CWVRM+9F'],
  ])('refuses a text because of this (%s): %s', (_what, text) => {
    expect(readPlusCode(text)).toBeUndefined();
  });
});
