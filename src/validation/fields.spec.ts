import fc from 'fast-check';
import { hasDecimals } from './fields.js';

const anyCents = fc.integer({ min: -100_000_000, max: 100_000_000 });

describe('hasDecimals', () => {
  it('takes every amount that is written with two decimals', () => {
    fc.assert(
      fc.property(anyCents, (cents) => hasDecimals(Number((cents / 100).toFixed(2)), 2)),
      { numRuns: 2_000 },
    );
  });

  it('refuses every amount that needs more', () => {
    const anyDigits = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(anyCents, fc.constantFrom('', '0', '00', '99'), anyDigits, (cents, between, digit) => {
        expect(hasDecimals(Number(`${(cents / 100).toFixed(2)}${between}${digit}`), 2)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [1.005, 2, false],
    [0.29, 2, true],
    [0.1 + 0.2, 2, false],
    [1e-7, 2, false],
    [5e-324, 2, false],
    [-0, 2, true],
    [3, 0, true],
    [3.5, 0, false],
    [0.125, 3, true],
  ])('of %d with %d decimals: %s', (value, decimals, expected) => {
    expect(hasDecimals(value, decimals)).toBe(expected);
  });
});
