import { execFile, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './eventually.js';
import { freePort, onFreePort } from './free-port.js';
import { end, launch, redisServer, withClient } from './redis.js';

export interface TestCluster {
  /** redis+cluster://…, with two of the nodes. */
  readonly url: string;
  /** The port of the master that has a key like a pattern of KEYS. @throws unless one master has any. */
  masterOf(pattern: string): Promise<number>;
  /** Kills a node; its data is lost. */
  kill(port: number): Promise<void>;
  stop(): Promise<void>;
}

/** Three masters with a replica each, which is promoted some two seconds after its master's end. */
export async function startCluster(): Promise<TestCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'guias-cluster-'));
  const nodes = new Map<number, ChildProcess>();
  const stop = async () => {
    await Promise.all([...nodes.values()].map((child) => end(child, 'SIGKILL')));
    await rm(folder, { recursive: true, force: true });
  };
  const start = () =>
    onFreePort(async (port) => {
      const settings = {
        'cluster-enabled': 'yes',
        'cluster-config-file': `nodes-${port}.conf`,
        'cluster-port': String(await freePort()),
        'cluster-node-timeout': '1000',
      };
      nodes.set(port, await launch(port, folder, settings));
    });
  const started = await Promise.allSettled(Array.from({ length: 6 }, start));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const addresses = [...nodes.keys()].map(addressOf);
  const create = ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'];
  await promisify(execFile)(join(dirname(redisServer()), 'redis-cli'), create);
  await eventually(async () => {
    const states = await Promise.all([...nodes.keys()].map(stateOf));
    expect(states.sort()).toEqual([
      ...Array<string>(3).fill('master of 1'),
      ...Array<string>(3).fill('replica'),
    ]);
  });
  return {
    url: `redis+cluster://${addresses.slice(0, 2).join(',')}`,
    masterOf: async (pattern) => {
      const alive = [...nodes].filter(([, { signalCode }]) => signalCode === null);
      const owners = await Promise.all(
        alive.map(([port]) =>
          withClient(`redis://${addressOf(port)}`, async (client) => {
            const [role] = await client.role();
            return role === 'master' && (await client.keys(pattern)).length > 0 ? [port] : [];
          }),
        ),
      );
      expect(owners.flat()).toHaveLength(1);
      return owners.flat()[0]!;
    },
    kill: (port) => end(nodes.get(port)!, 'SIGKILL'),
    stop,
  };
}

const addressOf = (port: number) => `127.0.0.1:${port}`;

/** What a node is, once it knows that all slots are served. */
function stateOf(port: number): Promise<string> {
  return withClient(`redis://${addressOf(port)}`, async (client) => {
    expect(await client.cluster('INFO')).toMatch(/cluster_state:ok/);
    const [role, ...more] = (await client.role()) as [string, ...unknown[]];
    if (role === 'master') return `master of ${(more[1] as unknown[]).length}`;
    return more[2] === 'connected' ? 'replica' : 'replica that is not connected';
  });
}
