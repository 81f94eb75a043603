import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { scramSocket } from '../scram-socket.js';
import { hasCluster } from '../../config/data-dir.js';
import { StartupError } from '../../errors/startup-error.js';
import { choosePort, isRunning, launch, readReason } from './launch.js';
import { RECOVERY_MS } from './postgres-files.js';
import { lostPassword, PASSWORD, USER, type Home } from './postgres-home.js';
import { codeOf, findServer, stopServer } from './postmaster-pid.js';

export const DATABASE = 'guias';
/** Key of the advisory lock that every process using the server holds, shared. */
const PRESENCE_LOCK = 0x6c757a;
/** ms; timeout of a start without crash recovery: long enough for a machine that is busy with other work. */
const START_MS = 40_000;
/** ms to stop a server. */
export const STOP_MS = 8_000;
/** Errors after which a start is retried: another process's server started first, or is still stopping. */
const TRANSIENT = /lock file "[^"]*" (already exists|is empty)|shared memory block|TCP\/IP sockets/;

/** For a cluster that was removed under a running service. */
export function goneFault({ cluster }: Home): string {
  return `DATA_DIR: ${cluster} was removed while the service runs; stop it, and restore a backup`;
}

export interface Joined {
  /** The connection that holds the presence lock. */
  presence: pg.Client;
  port: number;
  /** Whether no other process used it before this one. */
  isOurs: boolean;
}

/**
 * Joins the server that runs on the cluster, or starts one. Safe to call in several processes at once: PostgreSQL lets
 * only one server run on a cluster, and all processes join it.
 * @param port required after an outage, because this process's URL contains it.
 */
export async function joinOrStart(home: Home, port?: number, signal?: AbortSignal): Promise<Joined> {
  const began = Date.now();
  let reason = 'it does not answer';
  let child: ChildProcess | undefined;
  let logStart = 0;
  try {
    for (;;) {
      const server = findServer(home.cluster);
      // Not while our server is starting and has no pid file yet: it would be left running.
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
        if (!hasCluster(home.dataDir)) throw new StartupError(goneFault(home));
        [child, logStart] = await launch(home, port ?? (await choosePort(home.cluster)));
      }
      const limit = server?.status === 'starting' ? RECOVERY_MS : START_MS;
      if (Date.now() - began > limit) throw new StartupError(reason);
      await sleep(20);
    }
  } catch (error) {
    if (child?.pid && isRunning(child) && !signal?.aborted)
      await stopServer(child.pid, home.cluster, STOP_MS);
    const { message } = error as Error;
    throw new StartupError(`the embedded PostgreSQL did not start: ${message}; see ${home.log}`);
  }
}

export async function joinServer(home: Home, port: number, wanted = port): Promise<Joined> {
  if (port !== wanted)
    throw new StartupError(`it restarted on port ${port} instead of ${wanted}; restart this process`);
  const presence = new pg.Client({
    host: '127.0.0.1',
    port,
    user: USER,
    password: home.password,
    // Not DATABASE: the lock is taken before that database exists.
    database: 'postgres',
    ssl: false,
    stream: scramSocket,
    application_name: 'guias-presence',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 3_000,
    query_timeout: 2_000,
  });
  // Ignored here: the `end` event reports outages.
  presence.on('error', () => undefined);
  try {
    await presence.connect();
    // Waits while the last process of others stops the server; fails when the server ends.
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
    throw lostPassword(join(home.dataDir, PASSWORD), `is not the password of ${home.cluster}`);
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
export async function releasePresence(presence: pg.Client): Promise<boolean> {
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
