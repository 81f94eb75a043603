/** ms; a process that was ready for this long did not fail at its start. */
const STABLE_MS = 30_000;

/** ms of the first backoff after an early death; doubled with each further one. */
const FIRST_PAUSE_MS = 500;

/** ms of the longest backoff: after a long outage of the database all processes are back within this. */
const LONGEST_PAUSE_MS = 30_000;

/**
 * The number of consecutive early deaths, after one more death.
 * @param before the number until then.
 * @param readyMs for how long it was ready.
 */
export function earlyDeaths(before: number, readyMs: number): number {
  return readyMs >= STABLE_MS ? 0 : before + 1;
}

/** ms before a dead process is replaced. Grows, so that a crash loop does not exhaust the host. */
export function restartPause(deaths: number): number {
  return deaths === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (deaths - 1), LONGEST_PAUSE_MS);
}
