import type { Queue } from 'bullmq';
import { pino } from 'pino';
import type { Database } from '../database/database.js';
import { JobCounters } from '../queues/job-counters.js';
import type { QueueStore } from '../queues/queue-store.js';
import { QueuesService } from '../queues/queues.service.js';
import type { SweepsService } from '../queues/sweeps.service.js';
import { LostJobsService } from './lost-jobs.service.js';
import { jobIdOf, type WorkKind } from './work-kind.js';

const QUEUE = 'prueba';

interface StoredJob {
  state: string;
  finishedOn?: number;
}

interface Row {
  n: number;
  ronda: number;
}

/** Its rows are numbers; in its first round a row's job has the number as id. */
const NUMBERS: WorkKind<Row> = {
  table: 'numbers',
  key: { n: 'text' },
  hasWork: 'true',
  dueAt: 'proximo_en',
  columns: 't.n, t.ronda',
  queues: [QUEUE],
  queueOf: () => QUEUE,
  jobOf: ({ n, ronda }) => ({ id: jobIdOf(String(n), ronda), name: 'una', data: {} }),
  keyOf: () => [],
};

function setUp(over: Partial<WorkKind<Row>> = {}, numbers: number[], stored: Record<string, StoredJob> = {}) {
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
      added.push(...more.map(({ opts }) => opts.jobId));
      return Promise.resolve([]);
    },
  } as unknown as Queue;
  const queues = new QueuesService({ queue: () => queue } as unknown as QueueStore);
  const logs: { jobs?: number; msg: string }[] = [];
  const logger = pino({}, { write: (line) => void logs.push(JSON.parse(line) as { msg: string }) });
  const database = {
    query: ({ name, values }: { name: string; values: unknown[] }) => {
      if (name === 'numbers-round')
        return Promise.resolve({ rows: (values[0] as number[]).map((n) => ({ n, ronda: 1 })) });
      const [, last, limit] = values as [string, number | '', number];
      const start = last === '' ? 0 : numbers.indexOf(last) + 1;
      return Promise.resolve({ rows: numbers.slice(start, start + limit).map((n) => ({ n, ronda: 0 })) });
    },
  } as unknown as Database;
  let sweep: (signal: AbortSignal) => Promise<void>;
  const sweeps: Pick<SweepsService, 'every'> = { every: (_what, _ms, run) => (sweep = run) };
  const kind = { ...NUMBERS, ...over } as WorkKind;
  const lostJobs = new LostJobsService(
    [kind],
    database,
    queues,
    sweeps as SweepsService,
    new JobCounters(),
    logger,
  );
  lostJobs.onModuleInit();
  return {
    added,
    jobs,
    logs,
    restore: () => lostJobs.restore(kind),
    sweep: () => sweep(stopping.signal),
    stop: () => stopping.abort(),
  };
}

/** The ids of the new jobs of rows. */
const renewed = (rows: number[]) => rows.map((n) => `${n}.1`);

describe('restoring lost jobs', () => {
  it('enqueues a job of the next round for every row without one, across all pages', async () => {
    const rows = Array.from({ length: 1_700 }, (_, row) => row);
    const { added, logs, restore } = setUp({}, rows);
    await restore();
    expect(added).toEqual(renewed(rows));
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
    expect(found).toEqual([[1, 9_999, 10_500, 12_000], [24_999], [1, 9_999, 10_500, 12_000]].map(renewed));
    await restore();
    expect(added).toEqual(renewed(lost));
  });

  it('restarts at the oldest rows in every tenth sweep, and still reaches the end of any backlog', async () => {
    const rows = Array.from({ length: 150_000 }, (_, row) => row);
    const { added, jobs, sweep } = setUp(
      // Rows of another queue, which are searched but need no look at their jobs.
      { queueOf: ({ n }) => (n % 60_000 === 0 ? QUEUE : 'otra') },
      rows,
      Object.fromEntries([0, 60_000, 120_000].map((n) => [n, { state: 'waiting' }])),
    );
    for (let n = 0; n < 10; n++) await sweep();
    jobs.delete('0');
    jobs.delete('120000');
    await sweep();
    expect(added).toEqual(renewed([0]));
    for (let n = 0; n < 3; n++) await sweep();
    expect(added).toEqual(renewed([0, 120_000]));
  });

  it('skips rows of another queue, and checks a backlog of them in parts', async () => {
    const rows = Array.from({ length: 25_000 }, (_, row) => row);
    const { added, restore, sweep } = setUp({ queueOf: ({ n }) => (n === 24_999 ? QUEUE : 'otra') }, rows);
    const found: string[][] = [];
    for (let n = 0; n < 3; n++) {
      await sweep();
      found.push(added.splice(0));
    }
    expect(found).toEqual([[], [], renewed([24_999])]);
    await restore();
    expect(added).toEqual(renewed([24_999]));
  });

  it('ends a sweep after its current page when the application stops', async () => {
    const rows = Array.from({ length: 5_000 }, (_, row) => row);
    const { added, sweep, stop } = setUp(
      {
        jobOf: (row) => {
          if (row.n === 600) stop();
          return NUMBERS.jobOf(row);
        },
      },
      rows,
    );
    await sweep();
    expect(added).toEqual(renewed(rows.slice(0, 1_000)));
  });

  const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;

  it('replaces an ended job, but keeps one that failed in the last 10 minutes for support', async () => {
    const { added, jobs, restore } = setUp({}, [1, 2, 3], {
      1: { state: 'completed', finishedOn: Date.now() },
      2: { state: 'failed', finishedOn: minutesAgo(9) },
      3: { state: 'failed', finishedOn: minutesAgo(11) },
    });
    await restore();
    expect(added).toEqual(renewed([1, 3]));
    expect([...jobs.keys()]).toEqual(['2']);
  });
});
