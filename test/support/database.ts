import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The migrated database that tests copy. */
export const TEMPLATE = 'guias_template';

/** The test run's PostgreSQL, with another database's name. */
export function databaseUrl(name: string): string {
  const url = new URL(process.env.GUIAS_TEST_POSTGRES!);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs something on the server's own database. */
export async function withAdmin<T>(run: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient(process.env.GUIAS_TEST_POSTGRES!, run);
}

/** Runs something on a connection of its own. */
export async function withClient<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

export interface TestDatabase {
  url: string;
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
  drop(): Promise<void>;
}

/** A database of the test's own: a copy of the migrated one, or of `template0`, which is empty. */
export async function createTestDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying the files costs a third of writing the copy to the WAL: a checkpoint costs nothing without fsync.
  await withAdmin((client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
  const url = databaseUrl(name);
  // One connection at most, which the pool replaces when a test ends it.
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: 'test' });
  pool.on('error', () => undefined);
  return {
    url,
    query: async <R extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<R>(text, values)).rows,
    drop: async () => {
      await pool.end();
      await withAdmin((client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

/**
 * The server ends a connection that somebody took from the pool and has no query on: without a listener, the error
 * would end the process, and here it fails the test. The pool then opens another.
 */
export async function expectToSurvive(pool: pg.Pool, database: TestDatabase): Promise<void> {
  const client = await pool.connect();
  // Not `once` of node:events, which would listen to errors too.
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  await database.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
  await ended;
  client.release(true);
  await pool.query('select 1');
}
