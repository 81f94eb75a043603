import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The migrated database that tests copy. */
export const TEMPLATE = 'guias_template';

/** The URL of another database of the same server and role. */
function urlOf(name: string, role: string): string {
  const url = new URL(role);
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
  /** Of the role that serves, which may read and write data and nothing else. */
  url: string;
  /** Of the owner, who may do everything. */
  ownerUrl: string;
  /** Runs a statement as the owner. */
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
  drop(): Promise<void>;
}

/** A database of the test's own: a copy of the migrated one; or of `template0`, which is empty and all the owner's. */
export async function createTestDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying the files costs a third of writing the copy to the WAL: a checkpoint costs nothing without fsync.
  await withAdmin((client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
  const ownerUrl = urlOf(name, process.env.GUIAS_TEST_POSTGRES!);
  const url = template === TEMPLATE ? urlOf(name, process.env.GUIAS_TEST_SERVICE!) : ownerUrl;
  // One connection at most, which the pool replaces when a test ends it.
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1, application_name: 'test' });
  pool.on('error', () => undefined);
  return {
    url,
    ownerUrl,
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
