import { Database } from '../../src/database/database.js';
import type { TestApp } from './test-app.js';

/** How often an app takes a database connection meanwhile: each statement of ours does so once. */
export async function visitsDuring(
  { app }: Pick<TestApp, 'app'>,
  run: () => Promise<unknown>,
): Promise<number> {
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
