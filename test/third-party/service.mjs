import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the built service in a folder, as `npm start` does, with a test key and an operator's key. */
export async function startService(folder) {
  // PostgreSQL does not run as root.
  chmodSync(folder, 0o755);
  const options = {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', PORT: '0', DATA_DIR: join(folder, 'data') },
  };
  const child = spawn(process.execPath, ['dist/src/main.js'], options);
  const output = await untilPrinted(child, /is ready[\s\S]*\n\n/);
  const command = [
    'dist/src/cli.js',
    'keys',
    'create',
    '--operator',
    'Prueba',
    '--scopes',
    'operaciones',
    '--json',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, command, options);
  return {
    url: /(http:\/\/[^\s/]+)/.exec(output)[1],
    testKey: /gk_test_\w+/.exec(output)[0],
    operatorKey: JSON.parse(stdout).api_key,
    stop: () => stop(child),
  };
}

/** What a process prints until it matches. @throws Error where it ends before. */
export function untilPrinted(child, pattern) {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (data) => {
      output += data.toString();
      if (pattern.test(output)) resolve(output);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`ended before it was ready:\n${output}`)));
  });
}

export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}
