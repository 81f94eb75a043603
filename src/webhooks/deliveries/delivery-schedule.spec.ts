import fc from 'fast-check';
import { GIVE_UP_DAYS, MAX_TRIES, nextTryMs } from './delivery-schedule.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const anyRandom = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const anyTries = fc.integer({ min: 1, max: MAX_TRIES - 1 });

describe('the delivery schedule', () => {
  it.each([
    [0, 0],
    [1, 5 * SECOND],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 14 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
  ])('after %i tries waits %i ms, a tenth more or less', (tries, ms) => {
    expect(nextTryMs(tries, undefined, 0.5)).toBe(ms);
    expect(nextTryMs(tries, undefined, 0)).toBe(Math.round(ms * 0.9));
    expect(nextTryMs(tries, undefined, 1)).toBe(Math.round(ms * 1.1));
  });

  it('ends after ten tries, whatever the endpoint asks for', () => {
    expect(MAX_TRIES).toBe(10);
    for (const tries of [10, 11, 1_000]) {
      expect(nextTryMs(tries)).toBeUndefined();
      expect(nextTryMs(tries, HOUR)).toBeUndefined();
    }
  });

  it('tries at once the first time, always', () => {
    fc.assert(fc.property(anyRandom, (random) => expect(nextTryMs(0, undefined, random)).toBe(0)));
  });

  it('ends before an endpoint is given up', () => {
    let total = 0;
    for (let tries = 0; tries < MAX_TRIES; tries++) total += nextTryMs(tries, undefined, 1)!;
    expect(total).toBeLessThan(GIVE_UP_DAYS * DAY);
  });

  it('never comes sooner than asked, nor than it would by itself; a tenth later at most', () => {
    fc.assert(
      fc.property(anyTries, fc.nat(DAY), anyRandom, (tries, askedMs, random) => {
        const ms = nextTryMs(tries, askedMs, random)!;
        const own = nextTryMs(tries, undefined, random)!;
        expect(ms).toBeGreaterThanOrEqual(Math.max(askedMs, own));
        expect(ms).toBeLessThanOrEqual(Math.max(askedMs * 1.1 + 1, own));
      }),
    );
  });

  it.each([DAY, 2 * DAY, 1e15, Infinity])('is asked for %d ms, and waits a day', (askedMs) => {
    expect(nextTryMs(1, askedMs, 0)).toBe(DAY);
  });

  it('varies', () => {
    const waits = Array.from({ length: 50 }, () => nextTryMs(5));
    expect(new Set(waits).size).toBeGreaterThan(25);
  });
});
