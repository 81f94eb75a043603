import { readRetryAfter } from './retry-after.js';

const NOW = Date.parse('2026-11-21T15:04:05Z');
const DAY_MS = 86_400_000;

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    [' 7 ', 7_000],
    ['86400', DAY_MS],
    ['86401', DAY_MS],
    ['9'.repeat(400), DAY_MS],
    ['Sat, 21 Nov 2026 15:04:35 GMT', 30_000],
    ['Sat, 21 Nov 2026 15:04:05 GMT', 0],
    ['Fri, 20 Nov 2026 15:04:05 GMT', 0],
    ['Sat, 21 Nov 2099 15:04:05 GMT', DAY_MS],
    ['Saturday, 21-Nov-26 15:05:05 GMT', 60_000],
  ])('%j is %d ms, within 0 and 24 h', (header, ms) => {
    expect(readRetryAfter(header, NOW)).toBe(ms);
  });

  it.each([undefined, '', '-5', '1.5', '1e3', 'mañana', 'GMT', 'x GMT', 'Sat, 21 Nov 2026 15:04:35', '0x10'])(
    '%j is ignored',
    (header) => {
      expect(readRetryAfter(header, NOW)).toBeUndefined();
    },
  );
});
