/** Seconds before each retry: eight tries over about a day. */
const DELAYS_S = [5, 60, 300, 1_800, 7_200, 21_600, 50_400];

export const MAX_TRIES = DELAYS_S.length + 1;

/**
 * Tries after which a `Retry-After` replaces the delay. After later ones it can only lengthen it, or a long outage with short
 * `Retry-After`s would use up all tries.
 */
const QUICK_TRIES = 3;

/** Fraction by which a delay varies either way, so that messages that failed together are not retried together. */
const JITTER = 0.2;

/**
 * Milliseconds until the next try; undefined when no try is left.
 * @param tries made so far, 1 or more.
 * @param askedMs what the provider asked for; never shortened.
 * @param random 0 to 1.
 */
export function retryDelay(tries: number, askedMs?: number, random = Math.random()): number | undefined {
  const delay = DELAYS_S[tries - 1];
  if (delay === undefined) return undefined;
  const own = delay * 1_000 * (1 - JITTER + 2 * JITTER * random);
  if (askedMs === undefined) return Math.round(own);
  const asked = askedMs * (1 + (JITTER / 2) * random);
  return Math.round(tries <= QUICK_TRIES ? asked : Math.max(asked, own));
}
