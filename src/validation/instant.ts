const DATE = String.raw`(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?`;
const OFFSET = String.raw`Z|([+-](?:[01]\d|2[0-3])):?([0-5]\d)`;
const INSTANT = new RegExp(`^${DATE}(?:T${TIME}(?:${OFFSET})?)?$`);

const DAY_MS = 86_400_000;

/**
 * Milliseconds since 1970 of `2026-11-21` or `2026-11-21T15:04[:05[.123]][Z|±hh:mm|±hhmm]` (UTC without an offset);
 * undefined for any other form and for days that do not exist. Digits beyond milliseconds are cut. A date without a time
 * means its first millisecond as a `from` bound and its last as an `until` bound.
 *
 * `new Date(text)` alone is not enough: it reads 30 February as 2 March and `1` as a year.
 */
export function parseInstant(text: string, bound: 'from' | 'until'): number | undefined {
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '00', fraction = '', offsetHours, offsetMinutes] = match;
  const date = `${year}-${month}-${day}`;
  // Days 1 to 28 exist in every month.
  if (day! > '28' && !isDay(date)) return undefined;
  if (hour === undefined) return Date.parse(date) + (bound === 'until' ? DAY_MS - 1 : 0);
  const offset = offsetHours === undefined ? 'Z' : `${offsetHours}:${offsetMinutes}`;
  return Date.parse(`${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
}

function isDay(date: string): boolean {
  return new Date(Date.parse(date)).getUTCDate() === Number(date.slice(-2));
}
