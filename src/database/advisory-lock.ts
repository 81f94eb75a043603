import type { DataSource } from 'typeorm';

/** Runs something while no other process that asks for the same lock does. */
export async function withAdvisoryLock<T>(
  dataSource: DataSource,
  key: number,
  run: () => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  await runner.connect();
  try {
    await runner.query('select pg_advisory_lock($1)', [key]);
    return await run();
  } finally {
    // Where the connection broke, the lock went with it.
    await runner.query('select pg_advisory_unlock($1)', [key]).catch(() => undefined);
    await runner.release();
  }
}
