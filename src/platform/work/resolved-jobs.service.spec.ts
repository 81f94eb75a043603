import type { Queue } from 'bullmq';
import type { Database } from '../database/database.js';
import type { QueuesService } from '../queues/queues.service.js';
import type { SweepsService } from '../queues/sweeps.service.js';
import { ResolvedJobsService } from './resolved-jobs.service.js';
import type { WorkKind } from './work-kind.js';

/** Its rows are named by texts. */
const NAMES: WorkKind<{ name: string; ronda: number }, { name: string }> = {
  table: 'names',
  key: { name: 'text' },
  hasWork: 'true',
  dueAt: 'proximo_en',
  columns: 't.name, t.ronda',
  queues: ['prueba'],
  queueOf: () => 'prueba',
  jobOf: (row) => ({ id: row.name, name: 'una', data: row }),
  keyOf: ({ name }) => [name],
};

describe('removing failed jobs that need nobody any more', () => {
  /** A sweep over so many failed jobs, all of which were resolved. */
  function setUp(count: number, onRemove: (id: string) => void) {
    let failed = Array.from({ length: count }, (_, n) => ({ id: String(n), data: { name: String(n) } }));
    const queue = {
      getJobs: (_state: string, from: number, to: number) => Promise.resolve(failed.slice(from, to + 1)),
      remove: (id: string) => {
        onRemove(id);
        failed = failed.filter((job) => job.id !== id);
        return Promise.resolve(1);
      },
    } as unknown as Queue;
    let sweep!: (signal: AbortSignal) => Promise<void>;
    const database = {
      query: ({ values: [names] }: { values: [string[]] }) =>
        Promise.resolve({ rows: names.map((_, at) => ({ n: at + 1 })) }),
    } as unknown as Database;
    const service = new ResolvedJobsService(
      [NAMES],
      database,
      { queue: () => queue } as unknown as QueuesService,
      { every: (_what, _ms, run) => (sweep = run) } as Pick<SweepsService, 'every'> as SweepsService,
    );
    service.onModuleInit();
    return { sweep: (signal: AbortSignal) => sweep(signal), left: () => failed.length };
  }

  it('goes through all of them', async () => {
    const { sweep, left } = setUp(1_000, () => undefined);
    await sweep(new AbortController().signal);
    expect(left()).toBe(0);
  });

  it('ends after the current one when the application stops', async () => {
    const stopping = new AbortController();
    const { sweep, left } = setUp(1_000, (id) => id === '250' && stopping.abort());
    await sweep(stopping.signal);
    expect(left()).toBe(749);
  });
});
