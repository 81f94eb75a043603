import { Database } from '../../src/platform/database/database.js';
import { RelayService } from '../../src/platform/events/relay.service.js';
import { SweepsService } from '../../src/platform/queues/sweeps.service.js';
import type { TestApp } from './test-app.js';

/** An app whose relay and sweeps are stopped until it is closed: only requests use its database. */
export async function quiet(test: TestApp): Promise<TestApp> {
  const startAgain = await stopBackground(test);
  return {
    ...test,
    close: () => {
      startAgain();
      return test.close();
    },
  };
}

/** Stops the relay, and the sweeps, such as the log of requests and the index of the search. @returns starts them again. */
async function stopBackground({ app }: Pick<TestApp, 'app'>): Promise<() => void> {
  const [relay, sweeps] = [app.get(RelayService), app.get(SweepsService)];
  await relay.beforeApplicationShutdown();
  await sweeps.beforeApplicationShutdown();
  return () => {
    relay.start();
    sweeps.onApplicationBootstrap();
  };
}

/**
 * How often an app takes a database connection while `run` runs: once for each statement. The app must have
 * `ROLE=api`, so that no worker asks for jobs; its relay and its sweeps are stopped meanwhile.
 */
export async function visitsDuring(test: Pick<TestApp, 'app'>, run: () => Promise<unknown>): Promise<number> {
  const startAgain = await stopBackground(test);
  const { pool } = test.app.get(Database);
  let visits = 0;
  const count = () => visits++;
  pool.on('acquire', count);
  try {
    await run();
  } finally {
    pool.off('acquire', count);
    startAgain();
  }
  return visits;
}
