const DAY_MS = 86_400_000;

/** s before each attempt, counted from the previous one: ten attempts over about three days. */
const DELAYS_S = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Attempts of one delivery. */
export const MAX_ATTEMPTS = DELAYS_S.length;

/** Days without a success after which an endpoint is disabled. */
export const GIVE_UP_DAYS = 5;

/** Fraction by which a delay varies either way, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

/**
 * ms until the next attempt; 0 for the first; undefined when no attempt is left.
 * @param attempts made so far.
 * @param askedMs the endpoint's `Retry-After`: never shortened, but capped at one day.
 * @param random 0 to 1.
 */
export function nextAttemptMs(attempts: number, askedMs = 0, random = Math.random()): number | undefined {
  const delay = DELAYS_S[attempts];
  if (delay === undefined) return undefined;
  const scheduled = delay * 1_000 * (1 - JITTER + 2 * JITTER * random);
  const asked = Math.min(askedMs, DAY_MS) * (1 + JITTER * random);
  return Math.round(Math.max(scheduled, asked));
}
