const DATE = String.raw`(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d{3})?`;
const OFFSET = String.raw`Z|[+-](?:[01]\d|2[0-3]):[0-5]\d`;
const INSTANT = new RegExp(`^${DATE}(?:T${TIME}(${OFFSET})?)?$`);

const DAY_MS = 86_400_000;

/**
 * Milliseconds since 1970 of `2026-11-21` or `2026-11-21T15:04:05[.123][Z|±hh:mm]` (UTC without an offset);
 * undefined for any other form and for days that do not exist. A date without a time means its first
 * millisecond as a `from` bound and its last as an `until` bound.
 *
 * `new Date(text)` alone is not enough: it reads 30 February as 2 March and `1` as a year.
 */
export function parseInstant(text: string, bound: 'from' | 'until'): number | undefined {
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, , , , offset] = match;
  const ms = Date.parse(hour !== undefined && offset === undefined ? `${text}Z` : text);
  // Days 1 to 28 exist in every month.
  if (Number.isNaN(ms) || (day! > '28' && !isDay(`${year}-${month}-${day}`))) return undefined;
  return hour === undefined && bound === 'until' ? ms + DAY_MS - 1 : ms;
}

function isDay(date: string): boolean {
  return new Date(Date.parse(date)).getUTCDate() === Number(date.slice(-2));
}
