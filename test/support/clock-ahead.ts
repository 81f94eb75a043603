/** Sets `Date.now()` and `performance.now()` ahead of real time until the test ends. Timers are not affected. */
export function setClocksAhead(ms: number): void {
  for (const { clock, now } of CLOCKS) jest.spyOn(clock, 'now').mockImplementation(() => now() + ms);
}

/** Stops `performance.now()`, so that no cache entry expires, until the test ends. */
export function stopCacheClock(): void {
  const stopped = performance.now();
  jest.spyOn(performance, 'now').mockReturnValue(stopped);
}

const CLOCKS = [Date, performance].map((clock) => ({ clock, now: clock.now.bind(clock) }));

afterEach(() => jest.restoreAllMocks());
