const DAY_MS = 86_400_000;

/** Seconds before each try, counted from the one before: ten tries over some three days. */
const DELAYS_S = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Tries of one delivery. */
export const MAX_TRIES = DELAYS_S.length;

/** Days of nothing but failure after which an endpoint is disabled. */
export const GIVE_UP_DAYS = 5;

/** Part by which a delay varies either way, so that what failed together does not come back together. */
const JITTER = 0.1;

/**
 * Milliseconds until the next try; 0 for the first.
 * @param triesMade so far; undefined comes back where there is none left.
 * @param askedMs what the endpoint asked for: never shortened, but no more than a day counts.
 * @param random 0 to 1.
 */
export function nextTryMs(triesMade: number, askedMs = 0, random = Math.random()): number | undefined {
  const delay = DELAYS_S[triesMade];
  if (delay === undefined) return undefined;
  const own = delay * 1_000 * (1 - JITTER + 2 * JITTER * random);
  const asked = Math.min(askedMs, DAY_MS) * (1 + JITTER * random);
  return Math.round(Math.max(own, asked));
}
