import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/**
 * Builds what is stale, starts one PostgreSQL for the whole run (with the build, as users start it) and
 * makes one migrated database that each test file copies.
 */
export default async function setup() {
  execFileSync('npm', ['run', '-s', 'build:stale'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { startEmbeddedPostgres } =
    await import('../../dist/src/database/embedded-postgres/embedded-postgres.js');
  const { migrate } = await import('../../dist/src/database/migrate.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'guias-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  globalThis.guiasTest = { postgres, dataDir };
  process.env.GUIAS_TEST_POSTGRES = postgres.url;

  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  await admin.query('create database guias_template');
  await admin.end();
  await migrate(postgres.url.replace(/[^/]*$/, 'guias_template'));
}
