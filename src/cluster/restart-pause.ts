/** ms; a process that was ready for so long did not die of its start. */
const STABLE_MS = 30_000;

/** ms before the first process in place of one that died early; doubled with each that follows. */
const FIRST_PAUSE_MS = 500;

/** ms; a database that was away for long gets its processes back within this. */
const LONGEST_PAUSE_MS = 30_000;

/**
 * How many processes in a row died early, after one more has died.
 * @param before how many had.
 * @param readyMs for how long it was ready.
 */
export function earlyDeaths(before: number, readyMs: number): number {
  return readyMs >= STABLE_MS ? 0 : before + 1;
}

/** ms to wait before another process is started in place of one that died; without end, they must not take the host. */
export function restartPause(deaths: number): number {
  return deaths === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (deaths - 1), LONGEST_PAUSE_MS);
}
