import type { Job, Queue } from 'bullmq';
import { retryAll } from './board-retry.js';

/** A queue of failed jobs, and the runs of each. @param retry of a job, by its number and the tries so far. */
function failingQueue(count: number, retry: (n: number, tries: number) => void = () => undefined) {
  const runs = Array<number>(count).fill(0);
  const tries = Array<number>(count).fill(0);
  const getJob: Queue['getJob'] = (id) => {
    const n = Number(id);
    const job = {
      retry: () => {
        retry(n, ++tries[n]!);
        runs[n]!++;
        return Promise.resolve();
      },
    };
    return Promise.resolve(job as unknown as Job);
  };
  const getRanges: Queue['getRanges'] = () => Promise.resolve(runs.map((_, n) => String(n)));
  return { queue: { getRanges, getJob } as Queue, runs };
}

describe('a retry of all failed jobs', () => {
  it('retries each once, also one that fails again at once', async () => {
    const { queue, runs } = failingQueue(250);
    const progress = await retryAll(queue);
    await progress.done;
    expect(progress).toMatchObject({ total: 250, retried: 250, left: [] });
    expect(new Set(runs)).toEqual(new Set([1]));
  });

  it('goes on after a job that cannot be retried, and names it', async () => {
    const { queue, runs } = failingQueue(60, (n) => {
      if (n === 7) throw new Error('timeout');
    });
    const progress = await retryAll(queue);
    await progress.done;
    expect(progress).toMatchObject({ total: 60, retried: 59, left: ['7'] });
    expect(runs.filter((times) => times !== 1)).toEqual([0]);
  });

  it('retries a job whose store was busy', async () => {
    const { queue } = failingQueue(3, (n, tries) => {
      if (n === 1 && tries === 1) throw new Error('timeout');
    });
    const progress = await retryAll(queue);
    await progress.done;
    expect(progress).toMatchObject({ total: 3, retried: 3, left: [] });
  });

  it('counts no job that others have retried meanwhile', async () => {
    const { queue } = failingQueue(3);
    queue.getJob = () => Promise.resolve(undefined);
    const progress = await retryAll(queue);
    await progress.done;
    expect(progress).toMatchObject({ total: 3, retried: 0, left: [] });
  });
});
