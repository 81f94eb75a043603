import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A test's database need not survive a power cut. */
const SETTINGS = [
  'fsync = off',
  'full_page_writes = off',
  'synchronous_commit = off',
  `checkpoint_timeout = '1d'`,
];

/**
 * Builds what is stale, starts one PostgreSQL for the whole run (from the build, as users start it) and creates one
 * migrated database that each test file copies; and a data folder for those that need a server of their own
 * (`data-dir.ts`).
 */
export default async function setup() {
  if (globalThis.guiasTest) return;
  execFileSync('npm', ['run', '-s', 'build:stale'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { startEmbeddedPostgres } =
    await import('../../dist/src/platform/database/embedded-postgres/embedded-postgres.js');
  const { migrate } = await import('../../dist/src/platform/database/migrate.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'guias-test-'));
  const first = await startEmbeddedPostgres({ dataDir });
  await migrate(first.ownerUrl, { serviceUrl: first.url });
  await first.stop();
  const unused = `${dataDir}-unused`;
  execFileSync('cp', ['-a', dataDir, unused]);
  writeFileSync(join(unused, 'app-secret'), 'un secreto para probar el servicio', { mode: 0o600 });
  process.env.GUIAS_TEST_DATA_DIR = unused;
  const postgres = await startEmbeddedPostgres({ dataDir });
  globalThis.guiasTest = { postgres, folders: [dataDir, unused] };
  process.env.GUIAS_TEST_POSTGRES = postgres.ownerUrl;
  process.env.GUIAS_TEST_SERVICE = postgres.url;

  const admin = new pg.Client({ connectionString: postgres.ownerUrl });
  await admin.connect();
  for (const setting of SETTINGS) await admin.query(`alter system set ${setting}`);
  await admin.query('select pg_reload_conf()');
  await admin.query('create database guias_template template guias');
  await admin.end();
}
