import type { Queue } from 'bullmq';
import { pino } from 'pino';
import type { Database } from '../database/database.js';
import { JobCounters } from './job-counters.js';
import { LostJobsService, type LostJobs } from './lost-jobs.service.js';
import type { QueueStore } from './queue-store.js';
import { QueuesService } from './queues.service.js';
import type { SweepsService } from './sweeps.service.js';

const QUEUE = 'prueba';

interface StoredJob {
  state: string;
  finishedOn?: number;
}

interface Row {
  n: number;
}

/** A row's job has its number as id, until it is renewed. */
function setUp(over: Partial<LostJobs<Row>> = {}, numbers: number[], stored: Record<string, StoredJob> = {}) {
  const stopping = new AbortController();
  const jobs = new Map(Object.entries(stored));
  const added: string[] = [];
  // As much of a queue, and of a store, as restoring jobs asks of them.
  const queue = {
    name: QUEUE,
    getJob: (id: string) => {
      const job = jobs.get(id);
      return Promise.resolve(job && { ...job, isFailed: () => Promise.resolve(job.state === 'failed') });
    },
    remove: (id: string) => Promise.resolve(Number(jobs.delete(id))),
    addBulk: (more: { opts: { jobId: string } }[]) => {
      added.push(...more.map(({ opts }) => opts.jobId).filter((id) => !jobs.has(id)));
      return Promise.resolve([]);
    },
  } as unknown as Queue;
  const queues = new QueuesService({ queue: () => queue } as unknown as QueueStore);
  const logs: { jobs?: number; msg: string }[] = [];
  const logger = pino({}, { write: (line) => void logs.push(JSON.parse(line) as { msg: string }) });
  const database = {
    query: ({ values: [last, limit] }: { values: [number, number] }) =>
      Promise.resolve({
        rows: numbers
          .filter((n) => n > last)
          .slice(0, limit)
          .map((n) => ({ n })),
      }),
  } as unknown as Database;
  let sweep: (signal: AbortSignal) => Promise<void>;
  const sweeps: Pick<SweepsService, 'every'> = { every: (_what, _ms, run) => (sweep = run) };
  const lostJobs = new LostJobsService(database, queues, sweeps as SweepsService, new JobCounters(), logger);
  lostJobs.watch<Row>({
    what: 'rows',
    everyMs: 1_000,
    queue: QUEUE,
    overdue: (last, limit) => ({ text: '', values: [last?.n ?? -1, limit] }),
    jobOf: ({ n }) => ({ id: String(n), name: 'una', data: {} }),
    ...over,
  });
  return {
    added,
    jobs,
    logs,
    restore: () => lostJobs.restore(QUEUE),
    sweep: () => sweep(stopping.signal),
    stop: () => stopping.abort(),
  };
}

describe('restoring lost jobs', () => {
  it('enqueues a new job for every row without one, across all pages', async () => {
    const rows = Array.from({ length: 1_700 }, (_, row) => row);
    const { added, logs, restore } = setUp({}, rows);
    await restore();
    expect(added).toEqual(rows.map(String));
    expect(logs).toMatchObject([{ jobs: 1_700, msg: 'rows without a job were re-enqueued' }]);
  });

  it('leaves rows alone whose job waits, is delayed or runs', async () => {
    const { added, logs, restore } = setUp({}, [1, 2, 3], {
      1: { state: 'waiting' },
      2: { state: 'delayed' },
      3: { state: 'active' },
    });
    await restore();
    expect(added).toEqual([]);
    expect(logs).toEqual([]);
  });

  it('checks a backlog in parts, but restores all lost jobs in one sweep', async () => {
    const rows = Array.from({ length: 25_000 }, (_, row) => row);
    const lost = [1, 9_999, 10_500, 12_000, 24_999];
    const waiting = rows
      .filter((row) => !lost.includes(row))
      .map((row) => [row, { state: 'waiting' }] as const);
    const { added, restore, sweep } = setUp({}, rows, Object.fromEntries(waiting));
    const found: string[][] = [];
    for (let n = 0; n < 3; n++) {
      await sweep();
      found.push(added.splice(0));
    }
    expect(found).toEqual([['1', '9999', '10500', '12000'], ['24999'], ['1', '9999', '10500', '12000']]);
    await restore();
    expect(added).toEqual(lost.map(String));
  });

  it('restarts at the oldest rows in every tenth sweep, and still reaches the end of any backlog', async () => {
    const rows = Array.from({ length: 150_000 }, (_, row) => row);
    const { added, jobs, sweep } = setUp(
      {},
      rows,
      Object.fromEntries(rows.map((n) => [n, { state: 'waiting' }])),
    );
    for (let n = 0; n < 10; n++) await sweep();
    jobs.delete('0');
    jobs.delete('120000');
    await sweep();
    expect(added).toEqual(['0']);
    for (let n = 0; n < 3; n++) await sweep();
    expect(added).toEqual(['0', '120000']);
  });

  it('skips rows of another queue, and checks a backlog of them in parts', async () => {
    const rows = Array.from({ length: 25_000 }, (_, row) => row);
    const { added, restore, sweep } = setUp({ isOfQueue: ({ n }) => n === 24_999 }, rows);
    const found: string[][] = [];
    for (let n = 0; n < 3; n++) {
      await sweep();
      found.push(added.splice(0));
    }
    expect(found).toEqual([[], [], ['24999']]);
    await restore();
    expect(added).toEqual(['24999']);
  });

  it('ends a sweep after its current page when the application stops', async () => {
    const rows = Array.from({ length: 5_000 }, (_, row) => row);
    const { added, sweep, stop } = setUp(
      {
        jobOf: ({ n }) => {
          if (n === 600) stop();
          return { id: String(n), name: 'una', data: {} };
        },
      },
      rows,
    );
    await sweep();
    expect(added).toEqual(rows.slice(0, 1_000).map(String));
  });

  const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;

  describe.each([
    ['with the same ids', undefined, ['1', '3']],
    [
      'with new ids',
      (lost: Row[]) => Promise.resolve(lost.map(({ n }) => ({ id: `${n}.1`, name: 'una', data: {} }))),
      ['1.1', '3.1'],
    ],
  ])('for rows whose jobs are re-enqueued %s', (_, renew, expected) => {
    it('replaces an ended job, but keeps one that failed in the last 10 minutes for support', async () => {
      const { added, jobs, restore } = setUp({ renew }, [1, 2, 3], {
        1: { state: 'completed', finishedOn: Date.now() },
        2: { state: 'failed', finishedOn: minutesAgo(9) },
        3: { state: 'failed', finishedOn: minutesAgo(11) },
      });
      await restore();
      expect(added).toEqual(expected);
      expect([...jobs.keys()]).toEqual(['2']);
    });
  });
});
