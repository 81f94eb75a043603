import { instantOf } from './time-zone.js';

const DATE = String.raw`(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,20}))?)?`;
const OFFSET = String.raw`(Z|([+-](?:[01]\d|2[0-3])):?([0-5]\d))`;
const INSTANT = new RegExp(`^${DATE}(?:T${TIME}${OFFSET}?)?$`);

const DAY_MS = 86_400_000;

/**
 * Milliseconds since 1970 of `2026-11-21` or `2026-11-21T15:04[:05[.123]][Z|±hh:mm|±hhmm]`; undefined for any
 * other form and for days that do not exist. Digits beyond milliseconds are cut. A date without a time means its first
 * millisecond as a `from` bound and its last as an `until` bound.
 *
 * @param zone IANA time zone of dates, and of times without an offset.
 *
 * `new Date(text)` alone is not enough: it reads 30 February as 2 March and `1` as a year.
 */
export function parseInstant(text: string, bound: 'from' | 'until', zone = 'UTC'): number | undefined {
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '00', fraction = '', ...offset] = match;
  const [hasOffset, offsetHours = '+00', offsetMinutes = '00'] = offset;
  const date = `${year}-${month}-${day}`;
  // Days 1 to 28 exist in every month.
  if (day! > '28' && !isDay(date)) return undefined;
  const toInstant = (local: number) => (zone === 'UTC' ? local : instantOf(local, zone));
  if (hour === undefined) {
    const midnight = Date.parse(date);
    return bound === 'from' ? toInstant(midnight) : toInstant(midnight + DAY_MS) - 1;
  }
  const time = `${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  return hasOffset === undefined
    ? toInstant(Date.parse(`${time}Z`))
    : Date.parse(`${time}${offsetHours}:${offsetMinutes}`);
}

function isDay(date: string): boolean {
  return new Date(Date.parse(date)).getUTCDate() === Number(date.slice(-2));
}
