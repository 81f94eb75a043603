import { Database } from '../../src/database/database.js';
import { RelayService } from '../../src/events/relay.service.js';
import { SweepsService } from '../../src/queues/sweeps.service.js';
import type { TestApp } from './test-app.js';

/**
 * How often an app takes a database connection while `run` runs: once for each statement. The app must have
 * `ROLE=api`, so that no worker asks for jobs; its relay and its sweeps are stopped and not started again.
 */
export async function visitsDuring(
  { app }: Pick<TestApp, 'app'>,
  run: () => Promise<unknown>,
): Promise<number> {
  await app.get(RelayService).beforeApplicationShutdown();
  // The log of requests, and the index of the search.
  await app.get(SweepsService).beforeApplicationShutdown();
  const { pool } = app.get(Database);
  let visits = 0;
  const count = () => visits++;
  pool.on('acquire', count);
  try {
    await run();
  } finally {
    pool.off('acquire', count);
  }
  return visits;
}
