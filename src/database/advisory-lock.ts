import type { DataSource } from 'typeorm';

/** Runs a function while holding an advisory lock; other processes with the same key wait. */
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
    // A broken connection has released the lock already.
    await runner.query('select pg_advisory_unlock($1)', [key]).catch(() => undefined);
    await runner.release();
  }
}
