import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';

const binary = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'redis-server'))
  .find(existsSync);

/** A `describe` where there is a redis-server; elsewhere it is skipped and says why (in CI it fails instead). */
export function describeWithRedis(name: string, suite: () => void): void {
  if (binary || process.env.CI) describe(name, suite);
  else describe['skip'](`${name} (skipped: no redis-server in PATH)`, suite);
}

export interface TestRedis {
  /** redis://127.0.0.1:port, the same after `restart`. */
  readonly url: string;
  /** Freezes the server until `resume`; connections stay open. */
  pause(): void;
  resume(): void;
  /** Kills the server; its data is lost. */
  kill(): Promise<void>;
  /** Starts the server again, empty, on the same port. */
  restart(): Promise<void>;
  flushAll(): Promise<void>;
  /** Kills the server and removes its folder. */
  stop(): Promise<void>;
}

/** A Redis on a free port, in memory only. */
export async function startRedis(): Promise<TestRedis> {
  if (!binary) throw new Error('no redis-server in PATH');
  const folder = await mkdtemp(join(tmpdir(), 'guias-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child = await launch(binary, port, folder);
  const kill = () => end(child, 'SIGKILL');
  return {
    url,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill,
    restart: async () => {
      await kill();
      child = await launch(binary, port, folder);
    },
    flushAll: () => withClient(url, (client) => client.flushall()),
    stop: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(path: string, port: number, folder: string): Promise<ChildProcess> {
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.resume();
  const ended = once(child, 'exit').then(() => {
    throw new Error(`redis-server ended before it listened on ${port}`);
  });
  await Promise.race([answering(`redis://127.0.0.1:${port}`), ended]);
  ended.catch(() => undefined);
  return child;
}

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      await withClient(url, (client) => client.ping());
      return;
    } catch {
      await sleep(20);
    }
  }
  throw new Error(`no answer from ${url}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

async function withClient(url: string, run: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await run(client);
  } finally {
    client.disconnect();
  }
}
