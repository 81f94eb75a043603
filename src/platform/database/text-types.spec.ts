import fc from 'fast-check';
import { toIso } from './text-types.js';

/** As PostgreSQL prints a timestamptz(3) in UTC: without the zeros at the end of the fraction. */
function asPostgres(date: Date): string {
  const [seconds = '', ms = ''] = date.toISOString().slice(0, -1).split('.');
  const fraction = ms.replace(/0+$/, '');
  return `${seconds.replace('T', ' ')}${fraction && `.${fraction}`}+00`;
}

describe('toIso', () => {
  it('writes any millisecond as Date.toISOString does', () => {
    const anyDate = fc.date({
      min: new Date('0001-01-01T00:00:00.000Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    const roundDate = anyDate.map((date) => new Date(Math.floor(date.getTime() / 100) * 100));
    const wholeSecond = anyDate.map((date) => new Date(Math.floor(date.getTime() / 1_000) * 1_000));
    fc.assert(
      fc.property(fc.oneof(anyDate, roundDate, wholeSecond), (date) => {
        expect(toIso(asPostgres(date))).toBe(date.toISOString());
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['2026-11-21 09:04:05.12-06', '2026-11-21T15:04:05.120Z'],
    ['2026-11-21 20:34:05+05:30', '2026-11-21T15:04:05.000Z'],
  ])('reads %s of a session in another time zone as %s', (text, iso) => {
    expect(toIso(text)).toBe(iso);
  });
});
