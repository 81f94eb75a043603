const DAY_MS = 86_400_000;

/** ms since 1970 of a local time. @param local `2026-11-21T15:04`. @param zone IANA time zone. */
export function instantOf(local: string, zone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  // Twice: the first guess may be on the other side of a change of summer time.
  const guess = asUtc - offsetMs(asUtc, zone);
  return asUtc - offsetMs(guess, zone);
}

/** The local day of a time, like `2026-11-21`. */
export function dayOf(ms: number, zone: string): string {
  return new Date(ms + offsetMs(ms, zone)).toISOString().slice(0, 10);
}

/** The beginnings of the last days and of tomorrow, oldest first. @param count of days, today included. */
export function startsOfDays(now: number, count: number, zone: string): { dia: string; ms: number }[] {
  const today = Date.parse(dayOf(now, zone));
  return Array.from({ length: count + 1 }, (_, i) => {
    const dia = new Date(today + (i - count + 1) * DAY_MS).toISOString().slice(0, 10);
    return { dia, ms: instantOf(`${dia}T00:00`, zone) };
  });
}

/** How far a zone's clocks are ahead of UTC at a time. */
function offsetMs(ms: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(ms));
  const [year, month, day, hour, minute, second] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((name) => Number(parts.find(({ type }) => type === name)!.value));
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(ms / 1_000) * 1_000;
}
