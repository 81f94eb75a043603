import { earlyDeaths, restartPause } from './restart-pause.js';

describe('the pause before a process is replaced', () => {
  /** Pauses after deaths of processes that were ready for so many ms. */
  const pausesAfter = (...readyMs: number[]) => {
    let deaths = 0;
    return readyMs.map((ms) => restartPause((deaths = earlyDeaths(deaths, ms))));
  };

  it('is 0 for a process that was ready for at least 30 s', () => expect(pausesAfter(30_000)).toEqual([0]));

  it('doubles with each that dies early, up to half a minute', () =>
    expect(pausesAfter(0, 0, 29_999, 0, 0, 0, 0, 0)).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ]));

  it('starts again at the first pause after a process that was ready for at least 30 s', () =>
    expect(pausesAfter(0, 0, 60_000, 0)).toEqual([500, 1_000, 0, 500]));
});
