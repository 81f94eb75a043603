import type { Job, Queue } from 'bullmq';
import { retryAll } from './board-retry.js';

/** A queue of failed jobs whose worker fails them again at once, and the runs of each. */
function failingQueue(count: number, clockAheadMs: number) {
  const runs = Array<number>(count).fill(0);
  const jobs = runs.map((_, i) => ({
    finishedOn: Date.now() + clockAheadMs - count + i,
    retry: () => {
      if (++runs[i]! > 3) throw new Error('it is retried without an end');
      jobs[i]!.finishedOn = Date.now() + clockAheadMs;
      return Promise.resolve();
    },
  }));
  const getJobs: Queue['getJobs'] = (_types, start = 0, end = -1) => {
    const oldestFirst = [...jobs].sort((one, other) => one.finishedOn - other.finishedOn);
    return Promise.resolve(oldestFirst.slice(start, end + 1) as unknown as Job[]);
  };
  return { queue: { getJobs } as Queue, runs };
}

describe('a retry of all failed jobs', () => {
  it.each([
    ['right', 0],
    ['a minute behind', -60_000],
    ['a minute ahead', 60_000],
  ])("retries as many as had failed, where the worker's clock is %s", async (_, clockAheadMs) => {
    const { queue, runs } = failingQueue(250, clockAheadMs);
    await retryAll(queue, 250);
    expect(runs.reduce((sum, each) => sum + each, 0)).toBe(250);
  });

  it('ends where others have retried them meanwhile', async () => {
    const { queue, runs } = failingQueue(3, 0);
    queue.getJobs = () => Promise.resolve([]);
    await retryAll(queue, 3);
    expect(runs).toEqual([0, 0, 0]);
  });
});
