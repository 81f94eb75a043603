import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { guiaBody } from './guia-body.js';

export const ROOT = resolve(import.meta.dirname, '../..');

/** What a bare machine has, and what a test sets. */
export function environment(env: Record<string, string>): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: '/nonexistent', ...env };
}

export interface ServiceProcess {
  child: ChildProcess;
  /** Base URL from the banner; empty without one. */
  url: string;
  demoKey: string | undefined;
  testKey: string | undefined;
  output(): string;
  /** Sends a signal and waits for the exit. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** What a service prints when it is ready. */
const BANNER = /is ready[\s\S]*\n\n/;

/**
 * Starts the built service and waits until it has printed `ready`.
 * @param node path of the executable.
 */
export async function startService(
  env: Record<string, string>,
  ready = BANNER,
  node = process.execPath,
): Promise<ServiceProcess> {
  const child = spawn(node, ['dist/src/main.js'], { cwd: ROOT, env: environment({ PORT: '0', ...env }) });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let output = '';
  await new Promise<void>((resolveReady, reject) => {
    const read = (data: Buffer) => {
      output += data.toString();
      if (ready.test(output)) resolveReady();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void exited.then(() => reject(new Error(`exited before it was ready:\n${output}`)));
  });
  return {
    child,
    url: /(http:\/\/[^\s/]+)/.exec(output)?.[1] ?? '',
    demoKey: /gk_live_\w+/.exec(output)?.[0],
    testKey: /gk_test_\w+/.exec(output)?.[0],
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const [code, by] = await exited;
      return { code, signal: by };
    },
  };
}

/** For the tests of one `describe`: folders, and services that are killed after all of them. */
export function useServices(): {
  newFolder: () => string;
  start: (...args: Parameters<typeof startService>) => Promise<ServiceProcess>;
} {
  const folders: string[] = [];
  const running: ServiceProcess[] = [];
  afterAll(async () => {
    for (const service of running) {
      if (service.child.exitCode === null && service.child.signalCode === null) await service.stop('SIGKILL');
    }
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return {
    newFolder: () => {
      const folder = mkdtempSync(join(tmpdir(), 'guias-smoke-'));
      // Open to others, as a user's folders usually are: PostgreSQL must not run as root.
      chmodSync(folder, 0o755);
      folders.push(folder);
      return folder;
    },
    start: async (...args) => {
      const service = await startService(...args);
      running.push(service);
      return service;
    },
  };
}

/** Creates a guide, again after a 503: on a busy machine a service that has just started may answer it. */
export async function createGuia(service: ServiceProcess, key: string, over = {}): Promise<Response> {
  for (;;) {
    const response = await fetch(`${service.url}/api/v1/guias`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(guiaBody(over)),
    });
    if (response.status !== 503) return response;
    await sleep(1_000 * Number(response.headers.get('retry-after')));
  }
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a built entry point to its end. @param node path of the executable. */
export async function runNode(
  file: 'main.js' | 'cli.js',
  args: string[],
  env: Record<string, string>,
  node = process.execPath,
): Promise<Finished> {
  const child = spawn(node, [`dist/src/${file}`, ...args], { cwd: ROOT, env: environment(env) });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** Starts the built service and sends SIGTERM once `isDue` resolves. @returns the exit code. */
export async function stopDuringStart(
  env: Record<string, string>,
  isDue: (pid: number) => Promise<void>,
): Promise<number | null> {
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    cwd: ROOT,
    env: environment({ PORT: '0', ...env }),
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  await isDue(child.pid!);
  child.kill('SIGTERM');
  return (await exited)[0];
}
