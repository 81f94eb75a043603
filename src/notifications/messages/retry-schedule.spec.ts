import fc from 'fast-check';
import { MAX_TRIES, retryDelay } from './retry-schedule.js';

const HOUR_MS = 3_600_000;
const random = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

const total = (at: number) => {
  let ms = 0;
  for (let tries = 1; tries < MAX_TRIES; tries++) ms += retryDelay(tries, undefined, at)!;
  return ms;
};

describe('the retry schedule', () => {
  it('has eight tries', () => {
    expect(MAX_TRIES).toBe(8);
    for (let tries = 1; tries < 8; tries++) expect(retryDelay(tries)).toBeGreaterThan(0);
    for (const tries of [8, 9, 1_000])
      for (const askedMs of [undefined, 1_000]) expect(retryDelay(tries, askedMs)).toBeUndefined();
  });

  it('lasts 20 to 27 hours, or 18 to 28 where all jitter goes one way', () => {
    expect(total(0.5)).toBeGreaterThan(20 * HOUR_MS);
    expect(total(0.5)).toBeLessThan(27 * HOUR_MS);
    expect(total(0)).toBeGreaterThan(18 * HOUR_MS);
    expect(total(1)).toBeLessThan(28 * HOUR_MS);
  });

  it('waits longer before each try', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), random, random, (tries, a, b) => {
        expect(retryDelay(tries + 1, undefined, a)).toBeGreaterThan(retryDelay(tries, undefined, b)!);
      }),
    );
  });

  it('varies each delay by up to a fifth either way', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), random, (tries, at) => {
        const middle = retryDelay(tries, undefined, 0.5)!;
        const delay = retryDelay(tries, undefined, at)!;
        expect(Math.abs(delay - middle)).toBeLessThanOrEqual(0.2 * middle + 1);
      }),
    );
    expect(retryDelay(1, undefined, 0)).toBe(4_000);
    expect(retryDelay(1, undefined, 1)).toBe(6_000);
  });

  it('ignores a shorter delay that the provider asks for from the fourth try on', () => {
    for (const tries of [4, 5, 6, 7])
      expect(retryDelay(tries, 0, 0.5)).toBe(retryDelay(tries, undefined, 0.5));
  });

  it('never shortens a delay that the provider asks for, and lengthens the first three by a tenth at most', () => {
    const asked = fc.integer({ min: 0, max: 24 * HOUR_MS });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), asked, random, (tries, askedMs, at) => {
        const delay = retryDelay(tries, askedMs, at)!;
        expect(delay).toBeGreaterThanOrEqual(askedMs);
        if (tries <= 3) expect(delay).toBeLessThanOrEqual(askedMs * 1.1 + 1);
      }),
    );
  });
});
