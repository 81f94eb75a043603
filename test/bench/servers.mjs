// Starts the processes under test, each with its own log file and port.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { atTheEnd } from './teardown.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Flags of Node that `npm start` passes. */
export const NODE_FLAGS = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  .scripts.start.match(/(?<=\bexec node )(--\S+ )*/)[0]
  .split(' ')
  .filter((flag) => flag !== '');

/** Environment of the service besides its database: defaults, except for what would limit the measurement. */
const SERVICE_ENV = {
  HOME: '/nonexistent',
  PORT: '0',
  APP_SECRET: 'a secret for benchmarks, thirty-two bytes or more',
  RATE_LIMIT_PER_MINUTE: '1000000000',
};

/**
 * Starts the built service, as `npm start` does; its log goes to a file.
 * @param flags additional flags of Node.
 */
export function startService(env, { folder, flags = [] }) {
  return startServer(
    [...NODE_FLAGS, ...flags, join(ROOT, 'dist/src/main.js')],
    { ...SERVICE_ENV, ...env },
    folder,
  );
}

/** Starts the bare server. @param mode `plain`, `text` or `batch`. */
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
  // The log is read until it names the address, that is, before the first request.
  let output;
  for (let port; ; await sleep(5)) {
    output = readFileSync(log, 'utf8');
    port = /http:\/\/[\w.]+:(\d+)/.exec(output)?.[1];
    if (port) return { pid: child.pid, port: Number(port), output, began, stop };
    if (child.exitCode !== null) throw new Error(`a server ended before it was ready:\n${output}`);
  }
}

/** Runs an operator command and returns what it prints with `--json`. */
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
