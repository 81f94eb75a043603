import { coordinatesText } from './shown-link.js';

describe('coordinates on pages', () => {
  it.each([
    [14.6407, -90.5133, '14.6407, -90.5133'],
    [14.640712345, -90.513298765, '14.64071, -90.5133'],
    [14, -0.0000001, '14, 0'],
  ])('of %d, %d have at most five decimals', (lat, lng, text) => {
    expect(coordinatesText(lat, lng)).toBe(text);
  });
});
