import { LRUCache } from 'lru-cache';

const DAY_MS = 86_400_000;

/** Of countries with several time zones, the one of most of their people. */
const CHOSEN: Record<string, string> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CL: 'America/Santiago',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  MX: 'America/Mexico_City',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  US: 'America/New_York',
};

/** The IANA time zone of a country, by its ISO 3166 code; UTC where it is not known. */
export const timeZoneOf = (country: string): string => zones.memo(country);

/** Found once for each country: finding one takes as long as printing half a label. */
const zones = new LRUCache<string, string>({ max: 300, memoMethod: findTimeZone });

function findTimeZone(country: string): string {
  if (Object.hasOwn(CHOSEN, country)) return CHOSEN[country]!;
  try {
    // The standard changed this from a property to a method: Node 20 has the property, Node 24 the method.
    const locale = new Intl.Locale(`es-${country}`) as { getTimeZones?(): string[]; timeZones?: string[] };
    return (locale.getTimeZones?.() ?? locale.timeZones)?.[0] ?? 'UTC';
  } catch {
    return 'UTC';
  }
}

/** Whether this is the name of an IANA time zone. Some versions of Node also take offsets like `-06:00`, which are none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * ms since 1970 of a local time: the first, where clocks are put back and show it twice. A time that clocks skip counts
 * from the offset before, so that a day whose midnight is skipped begins at its first instant.
 * @param local as if it were of UTC, in ms since 1970.
 * @param zone IANA time zone.
 */
export function instantOf(local: number, zone: string): number {
  // No zone changes its offset twice in two days.
  const before = local - offsetMs(local - DAY_MS, zone);
  const after = local - offsetMs(local + DAY_MS, zone);
  const shown = [before, after].filter((ms) => ms + offsetMs(ms, zone) === local);
  return shown.length === 0 ? before : Math.min(...shown);
}

/** The local day of a time, like `2026-11-21`. */
export function dayOf(ms: number, zone: string): string {
  return new Date(ms + offsetMs(ms, zone)).toISOString().slice(0, 10);
}

/** A time as its zone shows it, ISO 8601 with the offset: `2026-11-21T09:04:05.123-06:00`. */
export function localIso(ms: number, zone: string): string {
  const offset = offsetMs(ms, zone);
  const minutes = Math.abs(Math.round(offset / 60_000));
  const two = (n: number) => String(n).padStart(2, '0');
  const sign = offset < 0 ? '-' : '+';
  const local = new Date(ms + offset).toISOString().slice(0, -1);
  return `${local}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Before it each place had its own time, and never changed it. */
const FIRST_CHANGE_MS = Date.UTC(1800);

/** How far a zone's clocks are ahead of UTC at a time. */
function offsetMs(time: number, zone: string): number {
  const ms = Math.max(time, FIRST_CHANGE_MS);
  const parts = formats.memo(zone).formatToParts(new Date(ms));
  const [year, month, day, hour, minute, second] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((name) => Number(parts.find(({ type }) => type === name)!.value));
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(ms / 1_000) * 1_000;
}

/** Made once for each zone in use: making one takes longer than a list. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({
  max: 50,
  memoMethod: (timeZone) =>
    new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
});
