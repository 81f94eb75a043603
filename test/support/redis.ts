import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { eventually } from './eventually.js';
import { onFreePort } from './free-port.js';
import { unlessMissing } from './skipping.js';

const binary = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'redis-server'))
  .find(existsSync);

export const describeWithRedis = unlessMissing(describe, binary ? undefined : 'no redis-server in PATH');

/** `full`: no memory is left; `replica`: of a server that is away; `lone`: without the replicas it asks for. */
export type RefusalOfWrites = 'full' | 'replica' | 'lone';

const REFUSE: Record<RefusalOfWrites, string[]> = {
  full: ['config', 'set', 'maxmemory', '1'],
  // Nothing listens there.
  replica: ['replicaof', '127.0.0.1', '1'],
  lone: ['config', 'set', 'min-replicas-to-write', '1'],
};

const TAKE = [
  ['replicaof', 'no', 'one'],
  ['config', 'set', 'maxmemory', '0'],
  ['config', 'set', 'min-replicas-to-write', '0'],
];

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
  /** Refuses writes until `takeWrites`; what it has stays, and can be read. */
  refuseWrites(why: RefusalOfWrites): Promise<void>;
  takeWrites(): Promise<void>;
  /** Kills the server and removes its folder. */
  stop(): Promise<void>;
}

/** The path of redis-server. */
export function redisServer(): string {
  if (!binary) throw new Error('no redis-server in PATH');
  return binary;
}

/** A Redis on a free port, in memory only. */
export async function startRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'guias-redis-'));
  const first = await onFreePort(async (port) => ({ port, child: await launch(port, folder) }));
  const { port } = first;
  let { child } = first;
  const url = `redis://127.0.0.1:${port}`;
  const kill = () => end(child, 'SIGKILL');
  return {
    url,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill,
    restart: async () => {
      await kill();
      child = await launch(port, folder);
    },
    flushAll: async () => void (await withClient(url, (client) => client.flushall())),
    refuseWrites: async (why) => void (await withClient(url, (client) => call(client, REFUSE[why]))),
    takeWrites: () =>
      withClient(url, async (client) => {
        for (const command of TAKE) await call(client, command);
      }),
    stop: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface TestSentinels {
  /** redis+sentinel://…, with all Sentinels. */
  readonly url: string;
  /** The port of the master that the Sentinels name now. */
  master(): Promise<number>;
  /** Kills the master. */
  killMaster(): Promise<void>;
  /** Kills one of the three Sentinels: the one that connections ask first. */
  killSentinel(): Promise<void>;
  stop(): Promise<void>;
}

/** A master, its replica, and three Sentinels of which two promote the replica a second after the master's end. */
export async function startSentinels(): Promise<TestSentinels> {
  const folder = await mkdtemp(join(tmpdir(), 'guias-sentinel-'));
  const servers = new Map<number, ChildProcess>();
  const serve = (more = {}) =>
    onFreePort(async (port) => {
      servers.set(port, await launch(port, folder, more));
      return port;
    });
  const master = await serve();
  await serve({ replicaof: `127.0.0.1 ${master}` });
  const sentinels = new Map<number, ChildProcess>();
  for (let n = 0; n < 3; n++)
    await onFreePort(async (port) => {
      const file = join(folder, `sentinel-${port}.conf`);
      await writeFile(file, sentinelSettings(port, folder, master));
      sentinels.set(port, await answeringChild([file, '--sentinel'], port));
    });
  const [first, ...others] = [...sentinels.keys()];
  const ask = () =>
    withClient(`redis://127.0.0.1:${others[0]}`, async (client) => {
      const found = (await client.call('sentinel', 'get-master-addr-by-name', MASTER)) as [string, string];
      return Number(found[1]);
    });
  await eventually(() =>
    withClient(`redis://127.0.0.1:${others[0]}`, async (client) => {
      const known = String(await client.call('sentinel', 'ckquorum', MASTER));
      expect(known).toMatch(/^OK 3 /);
      expect(await client.call('sentinel', 'replicas', MASTER)).toHaveLength(1);
    }),
  );
  return {
    url: `redis+sentinel://${[...sentinels.keys()].map((port) => `127.0.0.1:${port}`).join(',')}/${MASTER}`,
    master: ask,
    killMaster: async () => end(servers.get(await ask())!, 'SIGKILL'),
    killSentinel: () => end(sentinels.get(first!)!, 'SIGKILL'),
    stop: async () => {
      await Promise.all([...sentinels.values(), ...servers.values()].map((child) => end(child, 'SIGKILL')));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const MASTER = 'guias';

function sentinelSettings(port: number, folder: string, master: number): string {
  return [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor ${MASTER} 127.0.0.1 ${master} 2`,
    `sentinel down-after-milliseconds ${MASTER} 1000`,
    `sentinel failover-timeout ${MASTER} 5000`,
    '',
  ].join('\n');
}

/** A server in memory only. @param more settings */
export async function launch(
  port: number,
  folder: string,
  more: Record<string, string> = {},
): Promise<ChildProcess> {
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
    ...more,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return answeringChild(args, port);
}

async function answeringChild(args: string[], port: number): Promise<ChildProcess> {
  // Its errors are in its log. With this process' own output it would keep the run from ending, should it be left behind.
  const child = spawn(redisServer(), args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let log = '';
  child.stdout.on('data', (lines: Buffer) => (log = `${log}${lines.toString()}`.slice(-2_000)));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`redis-server ended before it listened on ${port}:\n${log}`);
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

/** Ends a server and waits for that. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** What `run` returns, with a connection that does not wait for a server. */
export async function withClient<T>(url: string, run: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await run(client);
  } finally {
    // Without a connection it would set a timer of 2 s.
    if (client.status !== 'end') client.disconnect();
  }
}

function call(client: Redis, [command, ...args]: string[]): Promise<unknown> {
  return client.call(command!, ...args);
}
