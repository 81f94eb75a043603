import { setTimeout as sleep } from 'node:timers/promises';
import {
  createPostgresBackend,
  type BackendFactory,
  type PostgresConnectionOptions,
  type PostgresPoolConfig,
  type PostgresQueueBackend,
} from 'bullmq';
import pg from 'pg';

/** ms before a worker polls again after a database error. */
const RETRY_MS = 1_000;

/** The pools in use, by the options they were made from, and the number of queues on each. */
const pools = new WeakMap<PostgresPoolConfig, { pool: pg.Pool; users: number }>();

/**
 * A backend on a pool of ours: queues with the same options object share it, and the last one that closes ends it. BullMQ's
 * own pool is one for each queue, and sets the schema by a startup parameter of the connection, which PgBouncer refuses.
 */
const createPooledBackend: typeof createPostgresBackend = (name, options, more) => {
  const config = options.connection as PostgresPoolConfig;
  const shared = pools.get(config) ?? { pool: openPool(config), users: 0 };
  shared.users++;
  pools.set(config, shared);
  const backend = createPostgresBackend(name, { ...options, connection: shared.pool }, more);
  backend.connection.once('close', () => {
    if (--shared.users > 0) return;
    pools.delete(config);
    void shared.pool.end();
  });
  return backend;
};

function openPool({ schema, ...config }: PostgresPoolConfig): pg.Pool {
  return new pg.Pool({
    ...config,
    // pg awaits the returned promise, although its types say void.
    onConnect: (client) => client.query(`set search_path to ${schema}`) as unknown as void,
  });
}

/**
 * BullMQ's PostgreSQL backend with three faults of version 6.7.0 fixed: it remembers a failed first connection for
 * ever, so that a queue never works again; its worker then asks for jobs in a loop that blocks the process; and a worker that
 * missed a notification, because its query for waiting jobs failed, may sleep for an hour.
 */
export const createFixedPostgresBackend: BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> = (
  name,
  options,
  more,
) => {
  const backend = createPooledBackend(name, options, more);
  retryFailedConnect(backend.connection);
  retryFailedConnect(backend);
  // A worker polls at least this often for jobs whose notification it missed. BullMQ's default is an hour if no delayed job
  // is due before.
  if ('drainDelay' in options)
    Object.defineProperty(backend, 'maximumBlockTimeout', { value: options.drainDelay });
  const moveToActive = backend.moveToActive.bind(backend);
  backend.moveToActive = (token, worker) =>
    moveToActive(token, worker).catch(async (error: unknown) => {
      await sleep(RETRY_MS);
      throw error;
    });
  return backend;
};

/** After a failure, the next call reconnects instead of returning the cached rejection. */
function retryFailedConnect(part: { waitUntilReady(): Promise<void> }): void {
  const wait = part.waitUntilReady.bind(part);
  part.waitUntilReady = () =>
    wait().catch((error: unknown) => {
      // Private in BullMQ; it holds the rejected promise.
      (part as { readyPromise?: Promise<void> }).readyPromise = undefined;
      throw error;
    });
}
