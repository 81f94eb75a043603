import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { StartupError } from '../../errors/startup-error.js';
import { RECOVERY_MS, SERVER_ENV } from './postgres-files.js';
import { PASSWORD, prepareHome, USER, type Home } from './postgres-home.js';
import { codeOf, findServer, lastPort, signalServer, stopServer } from './postmaster-pid.js';

const DATABASE = 'guias';
const LOG_BYTES = 1_000_000;
/** Key of the advisory lock that every process using the server holds, shared. */
const PRESENCE_LOCK = 0x6c757a;
/** ms; limit of a start without crash recovery. */
const START_MS = 20_000;
/** ms that a process that stops waits for a server that is starting. */
const LEAVE_MS = 3_000;
/** Reasons to try a start again: another process's server was faster, or is still stopping. */
const TRANSIENT = /lock file .+ (already exists|is empty)|shared memory block|TCP\/IP sockets/;

// The log must not contain data: errors of statements, which quote values, go to the client only.
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=128MB',
  'max_connections=300',
  'jit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_min_messages=log',
  'log_error_verbosity=terse',
  'log_min_error_statement=panic',
  'log_checkpoints=off',
  'log_parameter_max_length=0',
  'log_parameter_max_length_on_error=0',
].flatMap((setting) => ['-c', setting]);

/** An embedded PostgreSQL server, shared by all processes with the same data folder. */
export interface EmbeddedPostgres {
  /** `postgres://app:<password>@127.0.0.1:<port>/guias`; the same for the life of the process. */
  readonly url: string;
  /** Disconnects, and stops the server if no other process uses it. Idempotent. */
  stop(): Promise<void>;
  /** For a second signal: tells the server to stop, without waiting, unless others used it before us. */
  kill(): void;
}

export interface EmbeddedPostgresOptions {
  /** DATA_DIR: contains the cluster, its password and its log. */
  dataDir: string;
  /** Called once per outage, with one line; the server is then restarted until that succeeds. */
  onTrouble?: (message: string) => void;
  /** @internal The `native` folder of the binaries' package, for tests. */
  native?: string;
}

/**
 * Starts PostgreSQL in the data folder, or joins the server that another process, alive or killed, started there.
 * The last process to stop also stops the server.
 * @throws StartupError when a person has to fix something first.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = await prepareHome(options.dataDir, options.native);
  return new Supervisor(home, await joinOrStart(home), options.onTrouble);
}

/** Holds the presence lock, and restarts the server when it goes away. */
class Supervisor implements EmbeddedPostgres {
  readonly url: string;
  private readonly port: number;
  private readonly leaving = new AbortController();
  private presence: pg.Client | undefined;
  private isOurs = false;
  private recovery = Promise.resolve();
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly home: Home,
    joined: Joined,
    private readonly onTrouble: (message: string) => void = () => undefined,
  ) {
    this.port = joined.port;
    this.url = `postgres://${USER}:${home.password}@127.0.0.1:${joined.port}/${DATABASE}`;
    this.hold(joined);
  }

  stop(): Promise<void> {
    this.stopped ??= this.leave();
    return this.stopped;
  }

  kill(): void {
    this.leaving.abort();
    const server = this.isOurs ? findServer(this.home.cluster) : undefined;
    if (server) signalServer(server.pid, 'SIGINT');
  }

  private hold({ presence, isOurs }: Joined): void {
    this.presence = presence;
    this.isOurs = isOurs;
    presence.once('end', () => {
      this.presence = undefined;
      if (this.leaving.signal.aborted) return;
      this.recovery = this.recover();
      this.onTrouble('the embedded PostgreSQL went away; starting it again');
    });
  }

  private async recover(): Promise<void> {
    const { signal } = this.leaving;
    for (let pause = 100; !signal.aborted; pause = Math.min(pause * 2, 5_000)) {
      try {
        return this.hold(await joinOrStart(this.home, this.port, signal));
      } catch {
        await sleep(pause, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private async leave(): Promise<void> {
    this.leaving.abort();
    await this.recovery;
    const { cluster } = this.home;
    let server = findServer(cluster);
    // Others may be using it too; only a ready server can tell.
    const until = Date.now() + LEAVE_MS;
    while (server?.status === 'starting' && Date.now() < until) {
      await sleep(20);
      server = findServer(cluster);
    }
    if (!server) return;
    const joined = this.presence
      ? undefined
      : await joinServer(this.home, server.port).catch(() => undefined);
    const presence = this.presence ?? joined?.presence;
    this.isOurs = presence === undefined || (await releasePresence(presence));
    if (this.isOurs) await stopServer(server.pid, cluster);
    else await presence?.end();
  }
}

/** A server in use. */
interface Joined {
  /** The connection that holds the presence lock. */
  presence: pg.Client;
  port: number;
  /** Whether no other process used it before us. */
  isOurs: boolean;
}

/**
 * Joins the server that runs on the cluster, or starts one. Safe to do in several processes at once: PostgreSQL lets
 * only one server run on a cluster, and all join that.
 * @param port required after an outage: the process goes on with the URL that has it.
 */
async function joinOrStart(home: Home, port?: number, signal?: AbortSignal): Promise<Joined> {
  const began = Date.now();
  let reason = 'it does not answer';
  let child: ChildProcess | undefined;
  let logStart = 0;
  try {
    for (;;) {
      const server = findServer(home.cluster);
      // Not while our server is starting without a pid file yet: it would be left running.
      if (server || !isRunning(child)) signal?.throwIfAborted();
      if (server?.status === 'ready') {
        const joined = await joinServer(home, server.port, port).catch((error: Error) => error);
        if (!(joined instanceof Error))
          return { ...joined, isOurs: joined.isOurs || child?.pid === server.pid };
        if (joined instanceof StartupError) throw joined;
        reason = joined.message;
      } else if (!server && !isRunning(child)) {
        if (child) {
          reason = readReason(home.log, logStart, child) ?? 'it ended at once';
          if (!TRANSIENT.test(reason) && !child.signalCode) throw new StartupError(reason);
          await sleep(100);
        }
        [child, logStart] = await launch(home, port ?? (await choosePort(home.cluster)));
      }
      const limit = server?.status === 'starting' ? RECOVERY_MS : START_MS;
      if (Date.now() - began > limit) throw new StartupError(reason);
      await sleep(20);
    }
  } catch (error) {
    if (child?.pid && isRunning(child) && !signal?.aborted) await stopServer(child.pid, home.cluster);
    const { message } = error as Error;
    throw new StartupError(`the embedded PostgreSQL did not start: ${message}; see ${home.log}`);
  }
}

async function joinServer(home: Home, port: number, wanted = port): Promise<Joined> {
  if (port !== wanted)
    throw new StartupError(`it came back on port ${port}, not ${wanted}; restart this process`);
  const presence = new pg.Client({
    host: '127.0.0.1',
    port,
    user: USER,
    password: home.password,
    // Not DATABASE: the lock is taken before that exists.
    database: 'postgres',
    ssl: false,
    application_name: 'guias-presence',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 3_000,
    query_timeout: 2_000,
  });
  // Outages are noticed by the `end` event.
  presence.on('error', () => undefined);
  try {
    await presence.connect();
    // Waits while another process that was the last is stopping the server, and fails with the server's end.
    await presence.query('select pg_advisory_lock_shared($1)', [PRESENCE_LOCK]);
    await createDatabase(presence);
    const { rowCount } = await presence.query(
      "select from pg_locks where locktype = 'advisory' and objid = $1 and pid <> pg_backend_pid()",
      [PRESENCE_LOCK],
    );
    return { presence, port, isOurs: rowCount === 0 };
  } catch (error) {
    presence.end().catch(() => undefined);
    if (codeOf(error) !== '28P01') throw error;
    const password = join(home.dataDir, PASSWORD);
    throw new StartupError(`${password} is not the password of ${home.cluster}; put the right one back`);
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
  if (rowCount) return;
  await client.query(`create database ${DATABASE}`).catch((error: unknown) => {
    // Another process has just created it.
    if (!['42P04', '23505'].includes(codeOf(error) ?? '')) throw error;
  });
}

/** Releases our presence lock; true if it was the last one, or if the server does not answer. */
async function releasePresence(presence: pg.Client): Promise<boolean> {
  try {
    await presence.query('select pg_advisory_unlock_shared($1)', [PRESENCE_LOCK]);
    const { rows } = await presence.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [
      PRESENCE_LOCK,
    ]);
    return rows[0]?.last ?? true;
  } catch {
    return true;
  }
}

/** Starts a server; returns its process and the position in the log from which it writes. */
async function launch(home: Home, port: number): Promise<[ChildProcess, number]> {
  const log = fs.openSync(home.log, 'a', 0o600);
  try {
    if (fs.fstatSync(log).size > LOG_BYTES) fs.ftruncateSync(log);
    const logStart = fs.fstatSync(log).size;
    const args = ['-D', home.cluster, '-p', String(port), ...SETTINGS];
    const child = spawn(join(home.native, 'bin/postgres'), args, {
      ...home.account,
      cwd: home.cluster,
      env: SERVER_ENV,
      // A session of its own, so that Ctrl-C in the terminal reaches us alone.
      detached: true,
      stdio: ['ignore', log, log],
    });
    child.unref();
    await once(child, 'spawn');
    return [child, logStart];
  } finally {
    fs.closeSync(log);
  }
}

function isRunning(child: ChildProcess | undefined): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

/**
 * The last fatal line of a server in the log, from a position on, without its date. Servers of other processes write
 * to the same log; before it has read its settings, a server logs `postgres:` instead of its pid.
 */
function readReason(log: string, from: number, { pid }: ChildProcess): string | undefined {
  const text = fs.readFileSync(log).subarray(from).toString();
  const fatal = new RegExp(`(?:\\[${pid}\\] (?:FATAL|PANIC)|^postgres): +(.+)`, 'gm');
  return [...text.matchAll(fatal)].at(-1)?.[1];
}

/** The last server's port if it is free, so that a noted URL stays valid; else any. */
async function choosePort(cluster: string): Promise<number> {
  return listen(lastPort(cluster) ?? 0).catch(() => listen(0));
}

async function listen(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const taken = (server.address() as AddressInfo).port;
  await promisify(server.close.bind(server))();
  return taken;
}
