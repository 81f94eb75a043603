import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { StartupError } from '../errors/startup-error.js';
import { dataSourceOptions } from './data-source.js';
import { databaseFault, sqlStateOf } from './sqlstate.js';

/** Any constant that nothing else in the database uses: the letters "guias". */
const MIGRATION_LOCK = 0x6775696173;

/**
 * Brings the schema up to date and returns the names of the migrations applied. Safe with any number of
 * processes starting at once: an advisory lock lets one through, the others find nothing left to do.
 * @throws StartupError when the database cannot be reached or refuses us.
 */
export async function migrate(url: string): Promise<string[]> {
  try {
    return await migrateLocked(url);
  } catch (error) {
    throw mendable(error) ?? error;
  }
}

async function migrateLocked(url: string): Promise<string[]> {
  const lock = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'guias-migrate',
  });
  lock.on('error', () => undefined);
  await lock.connect();
  // Without the service's time limits: a migration may build an index over millions of rows.
  const options = {
    ...dataSourceOptions(url),
    extra: { max: 1, connectionTimeoutMillis: 10_000 },
  } as DataSourceOptions;
  const dataSource = new DataSource(options);
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await dataSource.initialize();
    const applied = await dataSource.runMigrations();
    return applied.map((migration) => migration.name);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await lock.end();
  }
}

/** What the operator can mend; undefined for a defect of a migration. */
function mendable(error: unknown): StartupError | undefined {
  const state = sqlStateOf(error);
  if (state === '42501')
    return new StartupError('DATABASE_URL: its user may not make tables; make it the owner of the database');
  if (state === '25006')
    return new StartupError('DATABASE_URL: the database is read-only; give the address of the primary');
  const { code, message } = error as Error & { code?: string };
  const isRefusal =
    state === undefined
      ? code !== undefined || databaseFault(error) === 'unavailable'
      : /^(08|28|3D|53|57)/.test(state);
  if (!isRefusal) return undefined;
  return new StartupError(
    `DATABASE_URL: the database cannot be used (${code ?? message}); check the address, the user and that PostgreSQL runs`,
  );
}
