import type pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { migrations } from '../../../migrations/index.js';
import { StartupError } from '../errors/startup-error.js';
import { dataSourceOptions } from './data-source.js';
import { clientFor, connectionOf } from './connection.js';
import { grantData } from './grant-data.js';
import { preparePartitions } from './prepare-partitions.js';
import { createQueueTables } from './queue-tables.js';
import { startupFault, unusable } from './startup-fault.js';

/** Any constant that nothing else in the database uses: the letters "guias". */
const MIGRATION_LOCK = 0x6775696173;

/** ms; a busy server takes its time, and a process that gave up would only be started again. */
const CONNECT_MS = 20_000;

interface MigrateOptions {
  /** The service's URL; its role is granted the right to read and write data. Default: the owner's URL. */
  serviceUrl?: string;
  /** Whether BullMQ's tables are needed, that is, without Redis. Default true. */
  hasQueues?: boolean;
  /** The variable that errors name. Default DATABASE_URL. */
  variable?: string;
}

/**
 * Brings the schema up to date and returns the names of the migrations applied. Safe with any number of processes that
 * start at once: an advisory lock lets one through; the others find nothing to do.
 * @param url of the schema's owner; if nothing is left to do, of any role that may read `migraciones`.
 * @throws StartupError if the database cannot be reached, rejects us, or was migrated by a newer version.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  try {
    return await migrateLocked(url, options);
  } catch (error) {
    throw startupFault(error, options.variable);
  }
}

async function migrateLocked(
  url: string,
  { serviceUrl = url, hasQueues = true, variable }: MigrateOptions,
): Promise<string[]> {
  const lock = await connect(url).catch((error: Error) => {
    const fault = startupFault(error, variable);
    throw fault === error ? unusable(error.message, variable) : fault;
  });
  // Without the service's time limits: a migration may build an index over millions of rows.
  const options = {
    ...dataSourceOptions(url),
    extra: { ...connectionOf(url), max: 1, connectionTimeoutMillis: CONNECT_MS },
  } as DataSourceOptions;
  const dataSource = new DataSource(options);
  try {
    await dataSource.initialize();
    await refuseSharedConnections(lock, dataSource);
    await refuseEncoding(lock, variable);
    // A lock of the transaction ends with the connection, also behind a pooler that keeps its server connections open.
    await lock.query('begin; set local idle_in_transaction_session_timeout to 0');
    await lock.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const applied = await dataSource.runMigrations();
    await refuseNewer(dataSource);
    if (hasQueues) await createQueueTables(url);
    await grantData(lock, serviceUrl);
    await lock.query('commit');
    // After a long stop, or in an old backup, this month has no partition, and its first rows would go to the default one, after
    // which it can no longer get one. If one cannot be made, the start goes on, and the workers retry.
    await preparePartitions(({ text, values }) => dataSource.query(text, values));
    return applied.map((migration) => migration.name);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await lock.end();
  }
}

/** @throws also where the URL is read, as for a file of `sslrootcert` that does not exist. */
async function connect(url: string): Promise<pg.Client> {
  const client = clientFor(url, { connectionTimeoutMillis: CONNECT_MS, application_name: 'guias-migrate' });
  await client.connect();
  return client;
}

/** In another encoding some names cannot be stored, and BullMQ's tables cannot be made. */
async function refuseEncoding(client: pg.Client, variable = 'DATABASE_URL'): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(
    `select current_setting('server_encoding') as encoding`,
  );
  const { encoding } = rows[0]!;
  if (encoding !== 'UTF8')
    throw new StartupError(
      `${variable}: the encoding of its database is ${encoding}, not UTF8; name one that was made with: create database guias encoding 'UTF8' template template0`,
    );
}

/** Two open connections share a server process only behind a pooler in transaction mode, which loses our settings and prepared statements. */
async function refuseSharedConnections(lock: pg.Client, dataSource: DataSource): Promise<void> {
  const text = 'select pg_backend_pid() as pid';
  const { rows } = await lock.query<{ pid: number }>(text);
  const others: { pid: number }[] = await dataSource.query(text);
  if (rows[0]!.pid === others[0]!.pid)
    throw new StartupError(
      'DATABASE_URL: a pooler in transaction mode; give it session mode, or connect to PostgreSQL directly',
    );
}

async function refuseNewer(dataSource: DataSource): Promise<void> {
  const known = migrations.map(({ name }) => name);
  const done: { name: string }[] = await dataSource.query('select name from migraciones order by id');
  const newer = done.find(({ name }) => !known.includes(name));
  if (newer)
    throw new StartupError(
      `the database was migrated by a newer version (${newer.name}); start that version, or restore a backup`,
    );
}
