import { setTimeout as sleep } from 'node:timers/promises';
import { QueuesService } from '../../src/queues/queues.service.js';
import type { TestApp } from './test-app.js';

/** Milliseconds between looks. */
const EVERY_MS = 25;

/** What `look` gives once it no longer throws; at the limit, what it threw last. */
export async function eventually<T>(look: () => T | Promise<T>, limitMs = 20_000): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(EVERY_MS);
    }
  }
}

/**
 * Waits until nothing is left to do now: every event is handed on, every incoming message worked on, and no
 * job waits or runs. Only what is meant for later remains.
 */
export async function settled({ app, database }: Pick<TestApp, 'app' | 'database'>): Promise<void> {
  await eventually(async () => {
    const open = await database.query(
      `select id::text from eventos where despachado_en is null
       union all select id::text from entrantes where procesado_en is null`,
    );
    // After the rows: a row is marked only once its jobs are there.
    const counts = await Promise.all(
      app.get(QueuesService).all.map((queue) => queue.getJobCounts('waiting', 'active')),
    );
    expect({ open, counts }).toEqual({ open: [], counts: counts.map(() => ({ waiting: 0, active: 0 })) });
  });
}
