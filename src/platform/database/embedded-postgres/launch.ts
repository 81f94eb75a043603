import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SERVER_ENV } from './postgres-files.js';
import type { Home } from './postgres-home.js';
import { lastPort } from './postmaster-pid.js';

const LOG_BYTES = 1_000_000;

// The log must not contain personal data: statement errors, which quote values, go only to the client.
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=128MB',
  'max_connections=300',
  'jit=off',
  // For base backups while it runs.
  'wal_level=replica',
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

/** Starts a server; returns its process and the position in the log from which it writes. */
export async function launch(home: Home, port: number): Promise<[ChildProcess, number]> {
  const log = fs.openSync(home.log, 'a', 0o600);
  try {
    if (fs.fstatSync(log).size > LOG_BYTES) fs.ftruncateSync(log);
    const logStart = fs.fstatSync(log).size;
    const args = ['-D', home.cluster, '-p', String(port), ...SETTINGS];
    const child = spawn(join(home.native, 'bin/postgres'), args, {
      ...home.account,
      cwd: home.cluster,
      env: SERVER_ENV,
      // In its own session, so that Ctrl-C in the terminal reaches only us.
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

export function isRunning(child: ChildProcess | undefined): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

/**
 * The last fatal error of a server in the log after a position, without its date. Servers of other processes write to
 * the same log. Before a server has read its settings, it logs `postgres:` instead of its pid.
 */
export function readReason(log: string, from: number, { pid }: ChildProcess): string | undefined {
  const text = fs.readFileSync(log).subarray(from).toString();
  const fatal = new RegExp(`(?:\\[${pid}\\] (?:FATAL|PANIC)|^postgres): +(.+)`, 'gm');
  return [...text.matchAll(fatal)].at(-1)?.[1];
}

/** The last server's port if it is free, so that saved URLs stay valid; otherwise any free port. */
export async function choosePort(cluster: string): Promise<number> {
  return listen(lastPort(cluster) ?? 0).catch(() => listen(0));
}

async function listen(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const taken = (server.address() as AddressInfo).port;
  await promisify(server.close.bind(server))();
  return taken;
}
