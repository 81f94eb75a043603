import { Database } from '../../src/database/database.js';
import { RelayService } from '../../src/events/relay.service.js';
import { RequestLogService } from '../../src/solicitudes/request-log.service.js';
import type { TestApp } from './test-app.js';

/**
 * How often an app takes a database connection while `run` runs: once for each statement. The app must have
 * `ROLE=api`, so that no worker asks for jobs; its relay is stopped and not started again.
 */
export async function visitsDuring(
  { app }: Pick<TestApp, 'app'>,
  run: () => Promise<unknown>,
): Promise<number> {
  await app.get(RelayService).beforeApplicationShutdown();
  // The log of requests is written in the background, once a second.
  const log = app.get(RequestLogService);
  await log.beforeApplicationShutdown();
  const recording = jest.spyOn(log, 'record').mockReturnValue();
  const { pool } = app.get(Database);
  let visits = 0;
  const count = () => visits++;
  pool.on('acquire', count);
  try {
    await run();
  } finally {
    pool.off('acquire', count);
    recording.mockRestore();
  }
  return visits;
}
