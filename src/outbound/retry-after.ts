const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * How long a `Retry-After` header asks to wait, in milliseconds from `now`: 0 to 24 h.
 * Undefined where there is none, or none that can be read.
 */
export function readRetryAfter(header: string | undefined, now: number = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  // A date without GMT would be read in the zone of this machine.
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : / GMT$/.test(text) ? Date.parse(text) - now : NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), DAY_MS);
}
