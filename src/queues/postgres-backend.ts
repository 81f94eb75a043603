import { setTimeout as delay } from 'node:timers/promises';
import {
  createPostgresBackend,
  type BackendFactory,
  type PostgresConnectionOptions,
  type PostgresQueueBackend,
} from 'bullmq';

/** Milliseconds until a worker asks again for a job, after the database could not give it one. */
const RETRY_MS = 1_000;

/**
 * BullMQ's PostgreSQL backend, made patient. As it comes (6.7.0) it keeps a failed first connection for good:
 * its queue never works again, and its worker asks on in a loop that leaves the process no time for anything else.
 */
export const createPatientPostgresBackend: BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> = (
  name,
  options,
  more,
) => {
  const backend = createPostgresBackend(name, options, more);
  forgetFailure(backend.connection);
  forgetFailure(backend);
  const take = backend.moveToActive.bind(backend);
  backend.moveToActive = (token, worker) =>
    take(token, worker).catch(async (error: unknown) => {
      await delay(RETRY_MS);
      throw error;
    });
  return backend;
};

/** A later call tries to connect again. */
function forgetFailure(part: { waitUntilReady(): Promise<void> }): void {
  const wait = part.waitUntilReady.bind(part);
  part.waitUntilReady = () =>
    wait().catch((error: unknown) => {
      (part as { readyPromise?: Promise<void> }).readyPromise = undefined;
      throw error;
    });
}
