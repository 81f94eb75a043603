/** Sets `Date.now()` and `performance.now()` ahead of real time until mocks are restored. Timers are not affected. */
export function setClocksAhead(ms: number): void {
  for (const { clock, now } of CLOCKS) jest.spyOn(clock, 'now').mockImplementation(() => now() + ms);
}

/** Stops `performance.now()`, so that no cache entry expires, until mocks are restored. */
export function stopCacheClock(): void {
  const stopped = performance.now();
  jest.spyOn(performance, 'now').mockReturnValue(stopped);
}

const CLOCKS = [Date, performance].map((clock) => ({ clock, now: clock.now.bind(clock) }));
