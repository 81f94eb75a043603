import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  runMigrations,
  SchemaMigrationRequiredError,
} from 'bullmq';
import type pg from 'pg';
import { withClient } from './failover/connection.js';

/** The schema of BullMQ's own tables. */
export const QUEUE_SCHEMA = 'bullmq';

/** Queues of the application; a process with workers works on all of them. */
export const QUEUES = 7;

/** Connections per queue, of which one is for LISTEN. */
export const PRODUCER_POOL = 2;

/** Connections of all workers of a process: four are busy, three are not. */
export const WORKER_CONNECTIONS = 4 * 9 + 3 * 3;

/**
 * Connections of a worker, of which one is for LISTEN. Each job ends with a commit, and those of the same time go to disk
 * together: with eight at a time a process sends about a quarter more messages than with four.
 * @param concurrency jobs at a time.
 */
export const workerPool = (concurrency: number): number => (concurrency > 16 ? 9 : 3);

/**
 * Creates or updates BullMQ's tables. Where nothing is to be done it only reads, so that a role without the right to
 * make tables may ask.
 */
export async function createQueueTables(url: string): Promise<void> {
  await withClient(url, async (client) => {
    if ((await versionOf(client)) < LATEST_SCHEMA_VERSION) await runMigrations(client, QUEUE_SCHEMA);
  });
}

async function versionOf(client: pg.Client): Promise<number> {
  try {
    return await assertSchemaCompatibility(client, QUEUE_SCHEMA);
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return 0;
    throw error;
  }
}
