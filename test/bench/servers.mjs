// The processes under test, each with a log file and a port of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { atTheEnd } from './teardown.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What the service has in its environment, beside its database: defaults, but for what would get in the way. */
const SERVICE_ENV = {
  HOME: '/nonexistent',
  PORT: '0',
  APP_SECRET: 'a secret for benchmarks, thirty-two bytes or more',
  RATE_LIMIT_PER_MINUTE: '1000000000',
};

/** What `npm start` gives node. */
export const START_FLAGS = ['--no-allocation-site-pretenuring'];

/** The built service; its log is on, and goes to a file. @param flags further ones for node. */
export function startService(env, { folder, flags = [] }) {
  return startServer(
    [...START_FLAGS, ...flags, join(ROOT, 'dist/src/main.js')],
    { ...SERVICE_ENV, ...env },
    folder,
  );
}

/** The bare server. @param mode `plain` or `text`. */
export function startBareServer(databaseUrl, mode, { folder }) {
  return startServer(
    [join(ROOT, 'test/bench/bare-server.mjs')],
    { DATABASE_URL: databaseUrl, MODE: mode },
    folder,
  );
}

let started = 0;

async function startServer(args, env, folder) {
  const log = join(folder, `server-${++started}.log`);
  const file = openSync(log, 'w');
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  atTheEnd(stop);
  // Only what it says before its first request is read: its address, or why there is none.
  let output;
  for (let port; ; await sleep(5)) {
    output = readFileSync(log, 'utf8');
    port = /http:\/\/[\w.]+:(\d+)/.exec(output)?.[1];
    if (port) return { pid: child.pid, port: Number(port), output, began, stop };
    if (child.exitCode !== null) throw new Error(`a server ended before it was ready:\n${output}`);
  }
}

/** Runs a command of the service; what it prints with `--json`. */
export async function runCommand(args, env) {
  const child = spawn(process.execPath, [join(ROOT, 'dist/src/cli.js'), ...args, '--json'], {
    env: { PATH: process.env.PATH, ...SERVICE_ENV, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}`);
  return JSON.parse(output);
}
