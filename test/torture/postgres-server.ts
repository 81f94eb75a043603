import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres/embedded-postgres.js';
import { copyDataDir } from '../support/data-dir.js';
import type { TestDatabase } from '../support/database.js';

/** A PostgreSQL of the run's own, which the run may stop: other tests share theirs. */
export interface PostgresServer extends TestDatabase {
  /** Stops it at once, as a crash would: it recovers from its log. Resolves once it takes statements again. */
  crash(): Promise<void>;
}

/** Processes die here, the system does not: what they have written is kept without being flushed to the disk. */
const SETTINGS = ['fsync = off', 'full_page_writes = off'];

const PID = `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer as pid`;

/** Starts a server with a migrated database. Its `query` waits while the server is away. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const dataDir = copyDataDir(mkdtempSync(join(tmpdir(), 'guias-torture-')));
  const server = await startEmbeddedPostgres({ dataDir });
  const { url, ownerUrl } = server;
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1 });
  pool.on('error', () => undefined);
  for (const setting of SETTINGS) await pool.query(`alter system set ${setting}`);
  await pool.query('select pg_reload_conf()');

  const query = async <R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]> => {
    for (;;) {
      try {
        return (await pool.query<R>(text, values)).rows;
      } catch (error) {
        // Otherwise the server has gone or is starting.
        if ((error as { severity?: string }).severity === 'ERROR') throw error;
        await sleep(50);
      }
    }
  };
  const pid = async () => (await query<{ pid: number }>(PID))[0]!.pid;
  return {
    url,
    ownerUrl,
    query,
    crash: async () => {
      const crashed = await pid();
      process.kill(crashed, 'SIGQUIT');
      while ((await pid()) === crashed) await sleep(20);
    },
    drop: async () => {
      await pool.end();
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
