import fc from 'fast-check';
import { GIVE_UP_DAYS, MAX_ATTEMPTS, nextAttemptMs } from './delivery-schedule.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const anyRandom = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const anyAttempts = fc.integer({ min: 1, max: MAX_ATTEMPTS - 1 });

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
  ])('after %i attempts waits %i ms, 10 % more or less', (tries, ms) => {
    expect(nextAttemptMs(tries, undefined, 0.5)).toBe(ms);
    expect(nextAttemptMs(tries, undefined, 0)).toBe(Math.round(ms * 0.9));
    expect(nextAttemptMs(tries, undefined, 1)).toBe(Math.round(ms * 1.1));
  });

  it('ends after ten attempts, whatever the endpoint asks for', () => {
    expect(MAX_ATTEMPTS).toBe(10);
    for (const tries of [10, 11, 1_000]) {
      expect(nextAttemptMs(tries)).toBeUndefined();
      expect(nextAttemptMs(tries, HOUR)).toBeUndefined();
    }
  });

  it('makes the first attempt at once', () => {
    fc.assert(fc.property(anyRandom, (random) => expect(nextAttemptMs(0, undefined, random)).toBe(0)));
  });

  it('ends before its endpoint would be disabled', () => {
    let total = 0;
    for (let tries = 0; tries < MAX_ATTEMPTS; tries++) total += nextAttemptMs(tries, undefined, 1)!;
    expect(total).toBeLessThan(GIVE_UP_DAYS * DAY);
  });

  it('waits at least the longer of schedule and Retry-After, and at most 10 % more', () => {
    fc.assert(
      fc.property(anyAttempts, fc.nat(DAY), anyRandom, (tries, askedMs, random) => {
        const ms = nextAttemptMs(tries, askedMs, random)!;
        const own = nextAttemptMs(tries, undefined, random)!;
        expect(ms).toBeGreaterThanOrEqual(Math.max(askedMs, own));
        expect(ms).toBeLessThanOrEqual(Math.max(askedMs * 1.1 + 1, own));
      }),
    );
  });

  it.each([DAY, 2 * DAY, 1e15, Infinity])('waits one day if %d ms are asked for', (askedMs) => {
    expect(nextAttemptMs(1, askedMs, 0)).toBe(DAY);
  });

  it('has jitter', () => {
    const waits = Array.from({ length: 50 }, () => nextAttemptMs(5));
    expect(new Set(waits).size).toBeGreaterThan(25);
  });
});
