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
    // The lock outlasts the transaction, and its wait has no limit but that of statements.
    await runner.query('begin; set local lock_timeout = 0');
    await runner.query('select pg_advisory_lock($1)', [key]);
    await runner.query('commit');
    return await run();
  } finally {
    // A broken connection has released the lock already.
    await runner.query('select pg_advisory_unlock($1)', [key]).catch(() => undefined);
    await runner.release();
  }
}
