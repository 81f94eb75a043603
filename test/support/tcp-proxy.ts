import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { TestDatabase } from './database.js';

/** What the network between service and database does. */
type Weather =
  | { kind: 'fair' }
  /** Every connection is refused or reset. */
  | { kind: 'cut' }
  /** Connections stay open and nothing arrives; with `answers` only what the server says is held back. */
  | { kind: 'frozen'; only?: 'answers' }
  /** Everything the server says arrives later by so much. */
  | { kind: 'slow'; ms: number };

export interface TcpProxy {
  /** The same database, reached through the proxy. */
  database: TestDatabase;
  set(weather: Weather): void;
  close(): Promise<void>;
}

/**
 * A TCP proxy in front of a test's database whose weather the test decides.
 * @param onConnection is told of each connection, and gives what is told of all that is said on it to the server.
 */
export async function createTcpProxy(
  database: TestDatabase,
  onConnection?: () => (chunk: Buffer) => void,
): Promise<TcpProxy> {
  const target = new URL(database.url);
  const pairs = new Set<{ client: Socket; server: Socket }>();
  let weather: Weather = { kind: 'fair' };

  const listener = createServer((client) => {
    if (weather.kind === 'cut') return client.resetAndDestroy();
    const server = connect(Number(target.port), target.hostname);
    const pair = { client, server };
    pairs.add(pair);
    const hear = onConnection?.();
    client.on('data', (chunk: Buffer) => {
      hear?.(chunk);
      server.write(chunk);
    });
    server.on('data', (chunk: Buffer) => {
      if (weather.kind === 'slow') setTimeout(() => client.writable && client.write(chunk), weather.ms);
      else client.write(chunk);
    });
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
    freeze(pair);
  });
  const freeze = ({ client, server }: { client: Socket; server: Socket }) => {
    const isFrozen = weather.kind === 'frozen';
    if (isFrozen) server.pause();
    else server.resume();
    if (isFrozen && (weather as { only?: string }).only !== 'answers') client.pause();
    else client.resume();
  };
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(database.url);
  url.hostname = '127.0.0.1';
  url.port = String((listener.address() as AddressInfo).port);
  return {
    database: { ...database, url: url.href },
    set: (next) => {
      weather = next;
      for (const pair of pairs) {
        if (next.kind === 'cut') pair.client.resetAndDestroy();
        else freeze(pair);
      }
    },
    close: async () => {
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      listener.close();
      await once(listener, 'close');
    },
  };
}
