import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '../../src/platform/database/connection.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import type { PostgresNode } from './postgres-cluster.js';
import { ROOT } from './service-process.js';
import { describeWithProgram } from './skipping.js';

/** Debian's place, which is not in every PATH. */
export const HAPROXY = '/usr/sbin/haproxy';

export const describeWithHaproxy = describeWithProgram(HAPROXY);

export interface Haproxy {
  url: string;
  stop(): Promise<void>;
}

/** HAProxy with the configuration of the documentation, in front of two ports of this machine. */
export async function startHaproxy(ports: readonly [number, number]): Promise<Haproxy> {
  const port = await freePort();
  let server = 0;
  const url = `http://127.0.0.1:${port}`;
  const stop = await run(
    'haproxy.cfg',
    (text) =>
      text
        .replace('bind :80', `bind 127.0.0.1:${port}`)
        .replace(/10\.0\.0\.\d:3000/g, () => `127.0.0.1:${ports[server++]}`),
    () => fetch(url),
  );
  return { url, stop };
}

/** The same in front of a cluster of PostgreSQL, with what Patroni answers to its checks; `url` is for the service. */
export async function startPostgresProxy(nodes: readonly PostgresNode[]): Promise<Haproxy> {
  const port = await freePort();
  const patronis = await Promise.all(nodes.map(startPatroni));
  const url = nodes[0]!.url.replace(/@[^/]+/, `@127.0.0.1:${port}`);
  const stop = await run(
    'haproxy-postgres.cfg',
    (text) =>
      nodes.reduce(
        (config, node, n) =>
          config.replace(
            `10.0.0.${n + 1}:5432 check port 8008`,
            `127.0.0.1:${node.port} check port ${(patronis[n]!.address() as AddressInfo).port}`,
          ),
        text.replace('bind :5432', `bind 127.0.0.1:${port}`),
      ),
    () => withClient(url, (client) => client.query('select')),
  );
  return {
    url,
    stop: async () => {
      await stop();
      for (const patroni of patronis) patroni.close();
    },
  };
}

/** Patroni's answer to `GET /primary`: 200 on the server that takes writes, 503 on others. */
async function startPatroni(node: PostgresNode): Promise<Server> {
  const server = createServer((_, response) => {
    const isPrimary = node.query<{ is: boolean }>('select not pg_is_in_recovery() as is');
    void isPrimary.then(
      ([row]) => response.writeHead(row!.is ? 200 : 503).end(),
      () => response.writeHead(503).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/**
 * Starts HAProxy with a file of `docs/scaling`, and waits until `reach` succeeds.
 * @returns what ends it.
 */
async function run(
  file: string,
  changed: (text: string) => string,
  reach: () => Promise<unknown>,
): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'guias-haproxy-'));
  const config = join(folder, file);
  writeFileSync(config, changed(readFileSync(join(ROOT, 'docs/scaling', file), 'utf8')));
  const child = spawn(HAPROXY, ['-f', config], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const refused = ended.then(() => {
    throw new Error(`haproxy ended before it listened; try: ${HAPROXY} -d -f docs/scaling/${file}`);
  });
  refused.catch(() => undefined);
  await Promise.race([eventually(reach), refused]);
  return async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
}
