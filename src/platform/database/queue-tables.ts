import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  runMigrations,
  SchemaMigrationRequiredError,
} from 'bullmq';
import type pg from 'pg';
import { withClient } from './connection.js';

/** The schema of BullMQ's own tables. */
export const QUEUE_SCHEMA = 'bullmq';

/** Creates or updates BullMQ's tables; only reads where they are up to date, as a role without rights may. */
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
