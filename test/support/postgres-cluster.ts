import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { copyCluster } from '../../src/platform/database/embedded-postgres/base-backup.js';
import { giveTo, SERVER_ENV } from '../../src/platform/database/embedded-postgres/postgres-files.js';
import {
  prepareHome,
  SERVICE_USER,
  servicePassword,
  USER,
  type Home,
} from '../../src/platform/database/embedded-postgres/postgres-home.js';
import { copyDataDir } from './data-dir.js';
import { withClient, type TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

const DATABASE = 'guias';

/** Processes die here, the system does not: what they have written is kept without being flushed to the disk. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '32MB',
  // A standby must take as many as its primary, which began with the service's setting.
  max_connections: '300',
  max_wal_senders: '10',
  wal_level: 'replica',
  fsync: 'off',
  full_page_writes: 'off',
  wal_keep_size: '256MB',
  jit: 'off',
  timezone: 'UTC',
  // A standby looks for its primary this often.
  wal_retrieve_retry_interval: '100ms',
};

/** One PostgreSQL of a cluster, which a test may kill, freeze and promote. */
export class PostgresNode implements TestDatabase {
  readonly url: string;
  readonly ownerUrl: string;
  private child: ChildProcess | undefined;
  private readonly pool: pg.Pool;

  constructor(
    private readonly home: Home,
    readonly port: number,
    readonly folder: string,
  ) {
    const urlOf = (user: string, password: string) =>
      `postgres://${user}:${password}@127.0.0.1:${port}/${DATABASE}`;
    this.url = urlOf(SERVICE_USER, servicePassword(home));
    this.ownerUrl = urlOf(USER, home.password);
    this.pool = new pg.Pool({ connectionString: this.ownerUrl, max: 2, application_name: 'test' });
    this.pool.on('error', () => undefined);
  }

  /** Starts the server. Resolves once it takes connections. */
  async start(): Promise<void> {
    const log = openSync(join(this.home.dataDir, 'cluster.log'), 'a');
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.child = spawn(
      join(this.home.native, 'bin/postgres'),
      ['-D', this.folder, '-p', String(this.port), ...settings],
      { ...this.home.account, cwd: this.folder, env: SERVER_ENV, stdio: ['ignore', log, log] },
    );
    closeSync(log);
    const { child } = this;
    await eventually(() => {
      if (child.exitCode !== null)
        throw new Error(`PostgreSQL ended: ${readFileSync(join(this.home.dataDir, 'cluster.log'), 'utf8')}`);
      return withClient(this.ownerUrl.replace(/\w+$/, 'postgres'), (client) => client.query('select'));
    });
  }

  async query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]> {
    return (await this.pool.query<R>(text, values)).rows;
  }

  /** Changes a setting of the running server. */
  async set(name: string, value: string): Promise<void> {
    await this.query(`alter system set ${name} = ${pg.escapeLiteral(value)}`);
    await this.query('select pg_reload_conf()');
  }

  /** Kills it with SIGKILL, all its processes. Resolves once they are gone. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    for (const pid of this.pids()) kill(pid, 'SIGKILL');
    await exited;
  }

  /** Stops all its processes without ending them. @returns what lets them go on. */
  freeze(): () => void {
    const pids = this.pids();
    for (const pid of pids) kill(pid, 'SIGSTOP');
    return () => pids.forEach((pid) => kill(pid, 'SIGCONT'));
  }

  /** Not by SQL: while a standby applies the rest of the log, it may cancel a query that waits for the promotion. */
  async promote(): Promise<void> {
    await promisify(execFile)(
      join(this.home.native, 'bin/pg_ctl'),
      ['promote', '-t', '110', '-D', this.folder],
      { ...this.home.account, cwd: this.folder, env: SERVER_ENV },
    );
  }

  async drop(): Promise<void> {
    await this.kill();
    await this.pool.end();
  }

  /** The server's process first: it starts no others while it is stopped. */
  private pids(): number[] {
    const parent = this.child!.pid!;
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((name) => parentOf(name) === parent);
    return [parent, ...children.map(Number)];
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

export interface PostgresCluster {
  primary: PostgresNode;
  standbys: PostgresNode[];
  /** Makes a server that was killed a standby of another. */
  rejoin(node: PostgresNode, of: PostgresNode): Promise<void>;
  drop(): Promise<void>;
}

/** A primary with a migrated database, and standbys that stream from it. */
export async function startPostgresCluster(standbyCount: number): Promise<PostgresCluster> {
  const dataDir = copyDataDir(mkdtempSync(join(tmpdir(), 'guias-cluster-')));
  const home = await prepareHome(dataDir);
  const nodes: PostgresNode[] = [];
  const nodeIn = async (folder: string) => {
    const node = new PostgresNode(home, await freePort(), folder);
    nodes.push(node);
    return node;
  };
  const startStandby = async (node: PostgresNode, of: PostgresNode) => {
    const { folder } = node;
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    const conninfo = `host=127.0.0.1 port=${of.port} user=${USER} password=${home.password} application_name=${name}`;
    writeFileSync(join(folder, 'standby.signal'), '');
    appendFileSync(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
    if (home.account) giveTo(home.account, folder);
    await node.start();
  };
  const primary = await nodeIn(home.cluster);
  // The servers are copies of one that is stopped, or they would have to be copied while it runs.
  const folders = Array.from({ length: standbyCount }, (_, i) => join(dataDir, `standby${i + 1}`));
  for (const folder of folders) cpSync(home.cluster, folder, { recursive: true, verbatimSymlinks: true });
  await primary.start();
  const standbys = await Promise.all(folders.map(nodeIn));
  await Promise.all(standbys.map((node) => startStandby(node, primary)));
  await eventually(() => Promise.all(standbys.map((node) => node.query('select'))));
  return {
    primary,
    standbys,
    rejoin: async (node, of) => {
      rmSync(node.folder, { recursive: true });
      await copyCluster(of.ownerUrl, node.folder, AbortSignal.timeout(60_000));
      await startStandby(node, of);
    },
    drop: async () => {
      await Promise.all(nodes.map((node) => node.drop()));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
