import { pino } from 'pino';
import { SweepsService } from './sweeps.service.js';

const EVERY_MS = 250;
const RUN_MS = 100;

/** When runs began, in ms since the start. */
async function startsOf(rest: number | undefined, forMs: number): Promise<number[]> {
  jest.useFakeTimers();
  const sweeps = new SweepsService(pino({ enabled: false }));
  const began = performance.now();
  const starts: number[] = [];
  const run = () => {
    starts.push(performance.now() - began);
    return new Promise<void>((resolve) => setTimeout(resolve, RUN_MS));
  };
  sweeps.every('test', EVERY_MS, run, rest);
  sweeps.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(forMs);
  const stopped = sweeps.beforeApplicationShutdown();
  await jest.advanceTimersByTimeAsync(RUN_MS);
  await stopped;
  jest.useRealTimers();
  return starts;
}

describe('a sweep', () => {
  it('rests for ten times as long as it ran', async () => {
    expect(await startsOf(undefined, 3_000)).toEqual([250, 1_500, 2_750]);
  });

  it('rests for less where people wait for its work', async () => {
    expect(await startsOf(1, 1_000)).toEqual([250, 500, 750, 1_000]);
  });
});
