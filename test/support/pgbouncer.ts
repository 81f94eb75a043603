import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient, type TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { describeWithProgram } from './skipping.js';

/** Debian's place, which is not in every PATH. */
const BINARY = '/usr/sbin/pgbouncer';

export const describeWithPgBouncer = describeWithProgram(BINARY);

export interface PgBouncer {
  /** The same database, reached through PgBouncer. */
  url: string;
  stop(): Promise<void>;
}

/** PgBouncer in front of a test's database, with connections for an API, a worker and a migration (docs/scaling.md, PostgreSQL). */
export async function startPgBouncer(
  database: TestDatabase,
  mode: 'session' | 'transaction',
): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'guias-pgbouncer-'));
  chmodSync(folder, 0o755);
  const { hostname, port, username, password, pathname } = new URL(database.url);
  const listenPort = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  writeFileSync(
    config,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
pool_mode = ${mode}
default_pool_size = 105
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
`,
  );
  const isRoot = process.getuid?.() === 0;
  const child = spawn(BINARY, [config], { stdio: 'ignore', ...(isRoot && { uid: 65_534, gid: 65_534 }) });
  const ended = once(child, 'exit');
  const url = `postgres://${username}@127.0.0.1:${listenPort}${pathname}`;
  await eventually(() => withClient(url, (client) => client.query('select 1')));
  return {
    url,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
