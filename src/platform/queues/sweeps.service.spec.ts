import { pino } from 'pino';
import { SweepsService } from './sweeps.service.js';

describe('a sweep', () => {
  let logs: { sweep: string; msg: string }[];
  let sweeps: SweepsService;

  beforeEach(() => {
    jest.useFakeTimers();
    logs = [];
    sweeps = new SweepsService(
      pino({}, { write: (line) => void logs.push(JSON.parse(line) as { sweep: string; msg: string }) }),
    );
  });
  afterEach(async () => {
    await sweeps.beforeApplicationShutdown();
    jest.useRealTimers();
  });

  it('runs at its interval from the start of the application to its shutdown', async () => {
    let runs = 0;
    sweeps.every('rows', 1_000, () => Promise.resolve(void runs++));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(runs).toBe(0);
    sweeps.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(3_500);
    expect(runs).toBe(3);
    await sweeps.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(runs).toBe(3);
  });

  it('never runs concurrently, and rests ten times as long as it ran', async () => {
    let [runs, running] = [0, 0];
    sweeps.every('rows', 1_000, async () => {
      runs++;
      expect(++running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      running--;
    });
    sweeps.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(28_400);
    expect(runs).toBe(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(runs).toBe(2);
    await jest.advanceTimersByTimeAsync(2_500);
  });

  it('rests for less where people wait for its work', async () => {
    let runs = 0;
    const run = async () => {
      runs++;
      await new Promise((resolve) => setTimeout(resolve, 400));
    };
    sweeps.every('rows', 1_000, run, 1);
    sweeps.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(3_500);
    expect(runs).toBe(3);
  });

  it('rests for at most half a minute, however long it ran', async () => {
    let runs = 0;
    sweeps.every('rows', 1_000, async () => {
      runs++;
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    });
    sweeps.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(91_500);
    expect(runs).toBe(2);
    await jest.advanceTimersByTimeAsync(60_000);
  });

  it('logs the first of several failures, and the recovery', async () => {
    let runs = 0;
    sweeps.every('rows', 1_000, () =>
      ++runs < 3 ? Promise.reject(new Error('no database')) : Promise.resolve(),
    );
    sweeps.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(4_500);
    expect(logs).toMatchObject([
      { sweep: 'rows', msg: 'a sweep failed; it goes on trying' },
      { sweep: 'rows', msg: 'sweep recovered' },
    ]);
  });
});
