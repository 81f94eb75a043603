import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from './database.js';

/** What the network between the service and a server does. */
export type Weather =
  | { kind: 'fair' }
  /** Every connection is refused or reset. */
  | { kind: 'cut' }
  /** Connections stay open and nothing arrives; with `answers` only what the server says is held back. */
  | { kind: 'frozen'; only?: 'answers' }
  /** Everything the server says arrives later by so much. */
  | { kind: 'slow'; ms: number }
  /** Everything that is said arrives in pieces of so many bytes, with so many ms between two. */
  | { kind: 'drip'; bytes: number; everyMs: number }
  /**
   * The network forgets the connections there are: one end of each is reset, and the other (`left`) is never told, also
   * not in fair weather. New connections work.
   */
  | { kind: 'half-open'; left: 'client' | 'server' };

/** Sets the weather; connections opened before keep what was done to them. */
export interface Gale {
  set(weather: Weather): void;
  /** Connections of which one end does not know that the other has gone. */
  forgotten(): number;
  close(): Promise<void>;
}

export interface TcpProxy extends Gale {
  /** The same database, reached through the proxy. */
  database: TestDatabase;
}

export interface UrlProxy extends Gale {
  /** The same server, reached through the proxy. */
  url: string;
}

/** Is told of each connection, and gives what is told of all that is said on it to the server. */
type OnConnection = () => (chunk: Buffer) => void;

/** A TCP proxy in front of a test's database whose weather the test decides. */
export async function createTcpProxy(database: TestDatabase, onConnection?: OnConnection): Promise<TcpProxy> {
  const { url, ...gale } = await createUrlProxy(database.url, onConnection);
  return { ...gale, database: { ...database, url } };
}

/** A TCP proxy in front of the server that a URL with a port names. */
export async function createUrlProxy(target: string, onConnection?: OnConnection): Promise<UrlProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<Pair>();
  let weather: Weather = { kind: 'fair' };

  const listener = createServer((client) => {
    if (weather.kind === 'cut') return client.resetAndDestroy();
    const pair: Pair = { client, server: connect(Number(port), hostname), isForgotten: false };
    pairs.add(pair);
    join(pair, () => weather, onConnection?.());
    for (const socket of [pair.client, pair.server])
      socket.on('close', () => {
        if (pair.client.destroyed && pair.server.destroyed) pairs.delete(pair);
      });
    freeze(pair, weather);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((listener.address() as AddressInfo).port);
  return {
    // A URL of HTTP gets a slash at its end.
    url: target.endsWith('/') ? url.href : url.href.replace(/\/$/, ''),
    set: (next) => {
      weather = next;
      for (const pair of pairs) {
        if (next.kind === 'cut') pair.client.resetAndDestroy();
        else if (next.kind === 'half-open') forget(pair, next.left);
        else freeze(pair, next);
      }
    },
    forgotten: () => [...pairs].filter(({ isForgotten }) => isForgotten).length,
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

interface Pair {
  client: Socket;
  server: Socket;
  /** Whether one end was reset without the other being told. */
  isForgotten: boolean;
}

function join(pair: Pair, weather: () => Weather, hear?: (chunk: Buffer) => void): void {
  const { client, server } = pair;
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    // What was said first arrives first, whatever the weather does between.
    let before = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      if (from === client) hear?.(chunk);
      const at = Date.now();
      before = before.then(() => deliver(chunk, at, to, from === server, weather));
    });
    from.on('error', () => undefined);
    from.on('close', (hadError) => {
      if (pair.isForgotten) return;
      if (hadError) to.destroy();
      else void before.then(() => to.destroySoon());
    });
  }
}

/** @param at when the chunk arrived, in ms. */
async function deliver(
  chunk: Buffer,
  at: number,
  to: Socket,
  isAnswer: boolean,
  weather: () => Weather,
): Promise<void> {
  const now = weather();
  if (now.kind === 'slow' && isAnswer) await sleep(Math.max(0, at + now.ms - Date.now()));
  for (let from = 0; from < chunk.length && to.writable;) {
    const then = weather();
    const size = then.kind === 'drip' ? then.bytes : chunk.length;
    to.write(chunk.subarray(from, from + size));
    from += size;
    if (then.kind === 'drip') await sleep(then.everyMs);
  }
}

function freeze({ client, server, isForgotten }: Pair, weather: Weather): void {
  if (isForgotten) return;
  const isFrozen = weather.kind === 'frozen';
  if (isFrozen) server.pause();
  else server.resume();
  if (isFrozen && weather.only !== 'answers') client.pause();
  else client.resume();
}

function forget(pair: Pair, left: 'client' | 'server'): void {
  if (pair.isForgotten) return;
  pair.isForgotten = true;
  const [stays, goes] = left === 'client' ? [pair.client, pair.server] : [pair.server, pair.client];
  // What it says is lost.
  stays.resume();
  goes.resetAndDestroy();
}
