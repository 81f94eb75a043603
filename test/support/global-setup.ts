import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/database/embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { TEMPLATE, databaseUrl, withAdmin } from './database.js';

export interface TestGlobals {
  postgres: EmbeddedPostgres;
  dataDir: string;
}

/** One PostgreSQL for the whole run, with one migrated database that each test file copies. */
export default async function setup(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'guias-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  (globalThis as { guiasTest?: TestGlobals }).guiasTest = { postgres, dataDir };
  process.env.GUIAS_TEST_POSTGRES = postgres.url;
  await withAdmin((client) => client.query(`create database ${TEMPLATE}`));
  await migrate(databaseUrl(TEMPLATE));
}
