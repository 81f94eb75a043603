import { Database } from '../../src/database/database.js';
import { RelayService } from '../../src/events/relay.service.js';
import type { TestApp } from './test-app.js';

/**
 * How often an app takes a database connection meanwhile: each statement of ours does so once. The app's relay is
 * stopped for good; it should be one of `ROLE=api`, whose workers do not look for work.
 */
export async function visitsDuring(
  { app }: Pick<TestApp, 'app'>,
  run: () => Promise<unknown>,
): Promise<number> {
  await app.get(RelayService).beforeApplicationShutdown();
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
