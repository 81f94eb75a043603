import { setTimeout as sleep } from 'node:timers/promises';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import type { TestApp } from './test-app.js';

/** Milliseconds between looks. */
const EVERY_MS = 25;

/** Milliseconds; for hangs alone, and shorter than a test's own limit, so that the reason is shown. */
const HANG_MS = 100_000;

/**
 * Returns what `look` returns once it no longer throws; at the limit throws its last error.
 * @param everyMs between looks: more where the wait is long and a look is a query.
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  limitMs = HANG_MS,
  everyMs = EVERY_MS,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(everyMs);
    }
  }
}

/** Waits until every event is dispatched, every incoming message handled, and no job waiting or running. */
export async function settled({ app, database }: Pick<TestApp, 'app' | 'database'>): Promise<void> {
  await eventually(async () => {
    const open = await database.query(
      `select id::text from eventos_pendientes
       union all select id::text from eventos where proximo_en is not null
       union all select id::text from entrantes where procesado_en is null`,
    );
    // After the rows: an event waits until its jobs are added.
    const counts = await Promise.all(
      app.get(QueuesService).all.map((queue) => queue.getJobCounts('waiting', 'active')),
    );
    expect({ open, counts }).toEqual({ open: [], counts: counts.map(() => ({ waiting: 0, active: 0 })) });
  });
}
