const DAY_MS = 24 * 60 * 60 * 1_000;

/** ms from `now` that a `Retry-After` header asks to wait, 0 to 24 h; undefined if it is missing or invalid. */
export function readRetryAfter(header: string | undefined, now: number = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  // A date without GMT would be read in the local time zone.
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : / GMT$/.test(text) ? Date.parse(text) - now : NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), DAY_MS);
}
