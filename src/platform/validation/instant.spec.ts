import fc from 'fast-check';
import { parseInstant } from './instant.js';

const BOUNDS = ['from', 'until'] as const;
const anyBound = fc.constantFrom(...BOUNDS);
const anyDate = fc.date({
  min: new Date('0001-01-02T00:00:00.000Z'),
  max: new Date('9999-12-30T23:59:59.999Z'),
  noInvalidDate: true,
});
const pad = (n: number) => String(n).padStart(2, '0');

describe('parseInstant', () => {
  it.each<[text: string, iso: string]>([
    ['2026-11-21T15:04:05Z', '2026-11-21T15:04:05.000Z'],
    ['2026-11-21T15:04:05.123Z', '2026-11-21T15:04:05.123Z'],
    ['2026-11-21T15:04:05', '2026-11-21T15:04:05.000Z'],
    ['2026-11-21T15:04:05.123', '2026-11-21T15:04:05.123Z'],
    ['2026-11-21T15:04:05-06:00', '2026-11-21T21:04:05.000Z'],
    ['2026-11-21T15:04:05.123+05:30', '2026-11-21T09:34:05.123Z'],
    ['2026-12-31T23:59:59.999-06:00', '2027-01-01T05:59:59.999Z'],
    ['2026-11-21T00:00:00+00:00', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T00:00:00-00:00', '2026-11-21T00:00:00.000Z'],
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000Z'],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000Z'],
    ['2026-11-21T15:04', '2026-11-21T15:04:00.000Z'],
    ['2026-11-21T00:00Z', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T15:04-06:00', '2026-11-21T21:04:00.000Z'],
    ['2026-11-21T15:04-0600', '2026-11-21T21:04:00.000Z'],
    ['2026-11-21T15:04:05-0600', '2026-11-21T21:04:05.000Z'],
    ['2026-11-21T15:04:05.123+0530', '2026-11-21T09:34:05.123Z'],
    ['2026-11-21T15:04:05+0000', '2026-11-21T15:04:05.000Z'],
    ['2026-11-21T15:04:05.123456Z', '2026-11-21T15:04:05.123Z'],
    ['2026-11-21T15:04:05.1239999-06:00', '2026-11-21T21:04:05.123Z'],
    ['2026-11-21T15:04:05.123456789', '2026-11-21T15:04:05.123Z'],
    ['2026-11-21T15:04:05.999999999999Z', '2026-11-21T15:04:05.999Z'],
    ['2026-11-21T15:04:05.5Z', '2026-11-21T15:04:05.500Z'],
    ['2026-11-21T15:04:05.12-0600', '2026-11-21T21:04:05.120Z'],
  ])('reads %s as the same instant for both bounds', (text, iso) => {
    expect(BOUNDS.map((bound) => parseInstant(text, bound))).toEqual([Date.parse(iso), Date.parse(iso)]);
  });

  it.each<[day: string, first: string, last: string]>([
    ['2026-11-21', '2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z', '2000-02-29T23:59:59.999Z'],
    ['1969-12-31', '1969-12-31T00:00:00.000Z', '1969-12-31T23:59:59.999Z'],
    ['2026-12-31', '2026-12-31T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
  ])('reads %s as its first and last millisecond', (day, first, last) => {
    expect(parseInstant(day, 'from')).toBe(Date.parse(first));
    expect(parseInstant(day, 'until')).toBe(Date.parse(last));
  });

  it.each<[text: string, from: string, until: string]>([
    ['2026-11-21', '2026-11-21T06:00:00.000Z', '2026-11-22T05:59:59.999Z'],
    ['2026-11-21T15:04', '2026-11-21T21:04:00.000Z', '2026-11-21T21:04:00.000Z'],
    ['2026-11-21T15:04:05.123', '2026-11-21T21:04:05.123Z', '2026-11-21T21:04:05.123Z'],
    ['2026-11-21T15:04Z', '2026-11-21T15:04:00.000Z', '2026-11-21T15:04:00.000Z'],
    ['2026-11-21T15:04:05+05:30', '2026-11-21T09:34:05.000Z', '2026-11-21T09:34:05.000Z'],
    ['9999-12-31', '9999-12-31T06:00:00.000Z', '+010000-01-01T05:59:59.999Z'],
  ])('reads %s in the zone of Guatemala, unless it bears an offset', (text, from, until) => {
    const read = BOUNDS.map((bound) => parseInstant(text, bound, 'America/Guatemala')!);
    expect(read.map((ms) => new Date(ms).toISOString())).toEqual([from, until]);
  });

  it.each([
    ...['2026-02-30', '2026-02-29', '2100-02-29', '1900-02-29', '2026-04-31', '2026-11-31T10:00:00Z'],
    ...['2026-02-30T00:00:00-06:00', '2026-13-01', '2026-00-10', '2026-01-00', '2026-01-32'],
    ...['2026-11-21T24:00:00Z', '2026-11-21T23:60:00Z', '2026-11-21T23:59:60Z'],
    ...['2026-11-21T15:04:05+24:00', '2026-11-21T15:04:05+05:60', '2026-11-21T15:04:05+0560'],
    ...['2026-11-21T24:00Z', '2026-02-30T00:00Z'],
  ])('refuses %s, which does not exist', (text) => {
    expect(BOUNDS.map((bound) => parseInstant(text, bound))).toEqual([undefined, undefined]);
  });

  it.each([
    ...['', '1', '2026', '2026-11', '20261121', '26-11-21', '2026-1-2', '21/11/2026', '11-21-2026'],
    ...['2026-W47-6', '2026-325', '+002026-11-21', '-2026-11-21', '2026-11-21 15:04:05'],
    ...['2026-11-21t15:04:05z', '2026-11-21T15:04:05z', '2026-11-21T15', '2026-11-21T15Z'],
    ...['2026-11-21T15:04.5Z', '2026-11-21T1504Z', '2026-11-21T15:04:5Z', '2026-11-21T15:04:05+600'],
    ...['2026-11-21T15:04:05+06000', '2026-11-21T15:04:05-06:00Z', '2026-11-21T150405Z'],
    ...['2026-11-21T15:04:05.Z', '2026-11-21T15:04:05.123456789012345678901Z', '2026-11-21T15:04:05,123Z'],
    ...['2026-11-21T15:04:05+06', '2026-11-21T15:04:05 06:00', '2026-11-21T15:04:05ZZ', '2026-11-21T'],
    ...['2026-11-21Z', '2026-11-21-06:00', ' 2026-11-21', '2026-11-21 ', '2026-11-21\n', '２０２６-11-21'],
    ...['Sat Nov 21 2026', 'hoy', '1795219200000', 'NaN'],
  ])('refuses %j, which has another form', (text) => {
    expect(BOUNDS.map((bound) => parseInstant(text, bound))).toEqual([undefined, undefined]);
  });

  it('agrees with Date about every instant in every offset', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: -1439, max: 1439 }), anyBound, (date, minutes, bound) => {
        const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const offset = `${minutes < 0 ? '-' : '+'}${pad(hours)}:${pad(rest)}`;
        expect(parseInstant(local + offset, bound)).toBe(date.getTime());
        expect(parseInstant(date.toISOString(), bound)).toBe(date.getTime());
        expect(parseInstant(date.toISOString().slice(0, -1), bound)).toBe(date.getTime());
      }),
      { numRuns: 300 },
    );
  });

  it('accepts exactly the days that exist, each ending a millisecond before the next', () => {
    const digits = (min: number, max: number) => fc.integer({ min, max });
    fc.assert(
      fc.property(digits(1, 9998), digits(0, 13), digits(0, 32), (year, month, day) => {
        const text = `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}`;
        const date = new Date(0);
        date.setUTCFullYear(year, month - 1, day);
        const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
        expect(parseInstant(text, 'from')).toBe(exists ? date.getTime() : undefined);
        expect(parseInstant(text, 'until')).toBe(exists ? date.getTime() + 86_399_999 : undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['America/Guatemala', 'Asia/Kolkata'])(
    'reads a time without an offset as UTC on a machine in %s',
    (zone) => {
      const { TZ } = process.env;
      process.env.TZ = zone;
      try {
        expect(new Date(2026, 10, 21).toISOString()).not.toBe('2026-11-21T00:00:00.000Z');
        const texts = ['2026-11-21', '2026-11-21T15:04:05', '2026-11-21T15:04:05.123'];
        expect(texts.map((text) => parseInstant(text, 'from'))).toEqual(
          ['2026-11-21T00:00:00.000Z', '2026-11-21T15:04:05.000Z', '2026-11-21T15:04:05.123Z'].map(
            Date.parse,
          ),
        );
      } finally {
        if (TZ === undefined) delete process.env.TZ;
        else process.env.TZ = TZ;
      }
    },
  );

  it('returns whole milliseconds or undefined for any text, and never throws', () => {
    const near = fc.string({ unit: fc.constantFrom(...'0123456789-:TZ+. \n'), maxLength: 30 });
    fc.assert(
      fc.property(
        fc.oneof(
          near,
          fc.array(fc.nat(0xffff), { maxLength: 30 }).map((units) => String.fromCharCode(...units)),
        ),
        anyBound,
        (text, bound) => {
          const ms = parseInstant(text, bound);
          expect(ms === undefined || Number.isSafeInteger(ms)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
