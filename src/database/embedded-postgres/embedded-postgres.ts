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
/** Advisory lock held, shared, by every process that uses the server: the letters "luz". */
const LIGHT = 0x6c757a;
const START_MS = 20_000;
/** How long a process that leaves waits for a server that is starting. */
const LEAVE_MS = 3_000;
/** Why a server that ended at once may well start the next time: another one was faster, or is just ending. */
const TRANSIENT = /lock file .+ (already exists|is empty)|shared memory block|TCP\/IP sockets/;

// The log holds what the server does, never what it stores: errors of statements, which quote values, are
// told to the client alone.
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

/** A PostgreSQL server of our own, shared by all processes that use the same data folder. */
export interface EmbeddedPostgres {
  /** `postgres://app:<password>@127.0.0.1:<port>/guias`; the same for the life of the process. */
  readonly url: string;
  /** Leaves the server, and stops it if no other process uses it. May be called again. */
  stop(): Promise<void>;
  /** For a second signal: tells the server to stop, without waiting, unless others were using it before us. */
  kill(): void;
}

export interface EmbeddedPostgresOptions {
  /** DATA_DIR: holds the cluster, its password and its log. */
  dataDir: string;
  /** Told once, in one line, when the server goes away; it is then started again for as long as it takes. */
  onTrouble?: (message: string) => void;
  /** @internal The `native` folder of the binaries' package; tests give their own. */
  native?: string;
}

/**
 * Starts PostgreSQL in the data folder, or joins the server that another process (alive or killed) has
 * running there. Whoever leaves last stops it.
 * @throws StartupError when a person must mend something first.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = await prepareHome(options.dataDir, options.native);
  return new Supervisor(home, await bringUp(home), options.onTrouble);
}

/** Holds the light, and brings the server back when it goes away. */
class Supervisor implements EmbeddedPostgres {
  readonly url: string;
  private readonly port: number;
  private readonly leaving = new AbortController();
  private light: pg.Client | undefined;
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

  private hold({ light, isOurs }: Joined): void {
    this.light = light;
    this.isOurs = isOurs;
    light.once('end', () => {
      this.light = undefined;
      if (this.leaving.signal.aborted) return;
      this.recovery = this.recover();
      this.onTrouble('the embedded PostgreSQL went away; starting it again');
    });
  }

  private async recover(): Promise<void> {
    const { signal } = this.leaving;
    for (let pause = 100; !signal.aborted; pause = Math.min(pause * 2, 5_000)) {
      try {
        return this.hold(await bringUp(this.home, this.port, signal));
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
    // Others may be waiting for it as well; it cannot tell before it is ready.
    const until = Date.now() + LEAVE_MS;
    while (server?.status === 'starting' && Date.now() < until) {
      await sleep(20);
      server = findServer(cluster);
    }
    if (!server) return;
    const light = this.light ?? (await joinServer(this.home, server.port).catch(() => undefined))?.light;
    this.isOurs = light === undefined || (await isLastOut(light));
    if (this.isOurs) await stopServer(server.pid, cluster);
    else await light?.end();
  }
}

/** A server in use: the connection that says so, and whether it runs for us, not for others before us. */
interface Joined {
  light: pg.Client;
  port: number;
  isOurs: boolean;
}

/**
 * Joins the server that runs on the cluster, or starts one. Any number of processes may do so at once:
 * PostgreSQL lets one server through, and everybody joins that.
 * @param port the only one that will do, after an outage: it is in the URL that the process works with.
 */
async function bringUp(home: Home, port?: number, signal?: AbortSignal): Promise<Joined> {
  const began = Date.now();
  let reason = 'it does not answer';
  let child: ChildProcess | undefined;
  let logStart = 0;
  try {
    for (;;) {
      const server = findServer(home.cluster);
      // Not while a server of ours has yet to make itself known: it would be left behind.
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
  const light = new pg.Client({
    host: '127.0.0.1',
    port,
    user: USER,
    password: home.password,
    // Not DATABASE: the light must be held before that one exists.
    database: 'postgres',
    ssl: false,
    application_name: 'guias-light',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 3_000,
    query_timeout: 2_000,
  });
  // What happens to the connection is seen by its end.
  light.on('error', () => undefined);
  try {
    await light.connect();
    // Waits while the last one out is stopping the server, and ends with it.
    await light.query('select pg_advisory_lock_shared($1)', [LIGHT]);
    await createDatabase(light);
    const { rowCount } = await light.query(
      "select from pg_locks where locktype = 'advisory' and objid = $1 and pid <> pg_backend_pid()",
      [LIGHT],
    );
    return { light, port, isOurs: rowCount === 0 };
  } catch (error) {
    light.end().catch(() => undefined);
    if (codeOf(error) !== '28P01') throw error;
    const password = join(home.dataDir, PASSWORD);
    throw new StartupError(`${password} is not the password of ${home.cluster}; put the right one back`);
  }
}

async function createDatabase(light: pg.Client): Promise<void> {
  const { rowCount } = await light.query('select from pg_database where datname = $1', [DATABASE]);
  if (rowCount) return;
  await light.query(`create database ${DATABASE}`).catch((error: unknown) => {
    // Another process has just made it.
    if (!['42P04', '23505'].includes(codeOf(error) ?? '')) throw error;
  });
}

/** Puts our light out; true when no other is on. A server that cannot say serves nobody. */
async function isLastOut(light: pg.Client): Promise<boolean> {
  try {
    await light.query('select pg_advisory_unlock_shared($1)', [LIGHT]);
    const { rows } = await light.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [LIGHT]);
    return rows[0]?.last ?? true;
  } catch {
    return true;
  }
}

/** Starts a server; returns its process and where its part of the log begins. */
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
      // A session of its own: Ctrl-C in the terminal is for us, and we stop it in our own time.
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
 * The server's last fatal line in the log, from a position on, without its date. Servers of other processes
 * write there too; what a server says before it knows its log's form bears its name instead of its number.
 */
function readReason(log: string, from: number, { pid }: ChildProcess): string | undefined {
  const text = fs.readFileSync(log).subarray(from).toString();
  const fatal = new RegExp(`(?:\\[${pid}\\] (?:FATAL|PANIC)|^postgres): +(.+)`, 'gm');
  return [...text.matchAll(fatal)].at(-1)?.[1];
}

/** The port of the last time if it is free, so that whoever noted the URL finds the server again; else any. */
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
