import { HEIGHT, staticMap, tileUrl, WIDTH } from './static-map.js';

const GUATEMALA = { lat: 14.6407, lng: -90.5133 };
const TILE = 256;

describe('a map as a picture', () => {
  it('of one point has it in the middle, on the tile of its street', () => {
    const { tiles, points } = staticMap([GUATEMALA]);
    expect(points).toEqual([{ left: WIDTH / 2, top: HEIGHT / 2 }]);
    // As OpenStreetMap's "Slippy map tilenames" counts them.
    const under = tiles.find(
      ({ left, top }) =>
        left <= WIDTH / 2 && left + TILE > WIDTH / 2 && top <= HEIGHT / 2 && top + TILE > HEIGHT / 2,
    );
    expect(under).toMatchObject({ z: 16, x: 16290, y: 30073 });
  });

  it.each([
    ['the same place', GUATEMALA],
    ['the next corner', { lat: 14.6412, lng: -90.5139 }],
    ['another town', { lat: 16.9303, lng: -89.8923 }],
    ['another continent', { lat: 40.4168, lng: -3.7038 }],
    ['the other side of the world', { lat: -60, lng: 179.9 }],
    ['a pole', { lat: 90, lng: 0 }],
  ])('shows both points, and is covered by at most twelve tiles: %s', (_, other) => {
    const { tiles, points } = staticMap([GUATEMALA, other]);
    for (const { left, top } of points) {
      expect(left >= 0 && left <= WIDTH).toBe(true);
      expect(top >= 0 && top <= HEIGHT).toBe(true);
    }
    expect(tiles.length).toBeLessThanOrEqual(12);
    for (const { z, x, y } of tiles) {
      expect(x >= 0 && x < 2 ** z).toBe(true);
      expect(y >= 0 && y < 2 ** z).toBe(true);
    }
  });

  it.each([
    ['https://tile.example.com/{z}/{x}/{y}.png', 'https://tile.example.com/3/1/4.png'],
    ['https://{s}.example.com/{z}/{x}/{y}{r}.png?k=1', 'https://c.example.com/3/1/4.png?k=1'],
    ['/tiles/{z}/{y}/{x}', '/tiles/3/4/1'],
  ])('fills the placeholders of %s', (url, filled) =>
    expect(tileUrl(url, { z: 3, x: 1, y: 4, left: 0, top: 0 })).toBe(filled),
  );
});
