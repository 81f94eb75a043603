import fc from 'fast-check';
import { firstIdAt, HIGHEST_ID, isUuid, LOWEST_ID, msOfId, newRowId } from './row-id.js';

/** The last millisecond of the year 9999, the latest that the interface's timestamps can say. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const anyMs = fc.integer({ min: 0, max: LAST_MS });

describe('newRowId', () => {
  it('is a UUID of version 7 that carries its millisecond', () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        const id = newRowId(ms);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(msOfId(id)).toBe(ms);
        expect(msOfId(firstIdAt(ms))).toBe(ms);
      }),
    );
  });

  it('takes the time from the clock', () => {
    const before = Date.now();
    const ms = msOfId(newRowId());
    expect(ms).toBeGreaterThanOrEqual(before);
    expect(ms).toBeLessThanOrEqual(Date.now());
  });

  it('sorts by id as by creation time', () => {
    fc.assert(
      fc.property(anyMs, anyMs, (a, b) => {
        fc.pre(a !== b);
        expect(newRowId(a) < newRowId(b)).toBe(a < b);
      }),
    );
  });

  it('differs within one millisecond', () => {
    const ids = Array.from({ length: 10_000 }, () => newRowId(1_795_219_200_000));
    expect(new Set(ids).size).toBe(10_000);
  });
});

describe('firstIdAt', () => {
  it('is a UUID, not above any id of its millisecond and above every id of the one before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: LAST_MS }), (ms) => {
        const bound = firstIdAt(ms);
        expect(isUuid(bound)).toBe(true);
        expect(newRowId(ms) >= bound).toBe(true);
        expect(newRowId(ms - 1) < bound).toBe(true);
      }),
    );
  });

  it.each([
    ['before 1970', -1, LOWEST_ID],
    ['in the year 0', Date.parse('0000-01-01T00:00:00Z'), LOWEST_ID],
    ['at 1970', 0, LOWEST_ID],
    ['at the last millisecond of 48 bits', 2 ** 48 - 1, 'ffffffff-ffff-0000-0000-000000000000'],
    ['after it', 2 ** 48, 'ffffffff-ffff-0000-0000-000000000000'],
  ])('stays within the ids %s', (_when, ms, bound) => {
    expect(firstIdAt(ms)).toBe(bound);
  });

  it('lies between the lowest and the highest id', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (ms) => firstIdAt(ms) >= LOWEST_ID && firstIdAt(ms) < HIGHEST_ID),
    );
  });
});

describe('isUuid', () => {
  it.each([
    '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
    '01A1FEA2-CF03-7F3A-9C44-2B8E6F0D1A57',
    LOWEST_ID,
    HIGHEST_ID,
  ])('takes %s', (text) => {
    expect(isUuid(text)).toBe(true);
  });

  it.each([
    ...['', '01a1fea2cf037f3a9c442b8e6f0d1a57', '{01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57}'],
    ...['01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a5', '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a577'],
    ...['01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a5g', '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57\n', '483920175567'],
  ])('refuses %j', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});
