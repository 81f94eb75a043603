import type { ClusterOptions, RedisOptions } from 'ioredis';
import { parseUrl } from './parse-url.js';

/** The ports of a Sentinel and of a node that name none. */
const SENTINEL_PORT = 26_379;
const NODE_PORT = 6_379;

export const REDIS_URL_RULE =
  'must be redis://HOST:PORT; for Sentinels redis+sentinel://HOST:PORT,HOST:PORT/MASTER, for a cluster redis+cluster://HOST:PORT,HOST:PORT; in rediss://, rediss+sentinel:// or rediss+cluster:// over TLS; with user and password percent-encoded (a % is %25)';

/** How Redis is reached, by ioredis' options: one server by its URL, the master that Sentinels know by a name, or a cluster. */
export type RedisAddress =
  Readonly<{ url: string } | (RedisOptions & { sentinels: object[] })> | ClusterAddress;

export interface ClusterAddress {
  /** Nodes that are asked for all others; one that answers is enough. */
  readonly nodes: { host: string; port: number }[];
  /** User, password and TLS of every node. */
  readonly redisOptions: RedisOptions;
}

/** ms; timeout of a connection, including handshakes and loading a cluster's slots. */
export const REDIS_CONNECT_MS = 2_000;

/** Milliseconds before the nth attempt to reach Redis, or the Sentinels or nodes that know where it is. */
export const redisBackoff = (times: number): number => Math.min(times * 100, 2_000);

/** Of every client of a cluster. */
export const CLUSTER_CLIENT = {
  // A ready check makes `connect()` wait forever for a cluster that lacks slots.
  enableReadyCheck: false,
  slotsRefreshTimeout: REDIS_CONNECT_MS,
  clusterRetryStrategy: redisBackoff,
  // Keeps host names, by which certificates are checked. By default ioredis connects to resolved addresses.
  dnsLookup: (name, found) => found(null, name),
} satisfies ClusterOptions;

/**
 * The options of ioredis for a REDIS_URL; undefined if it is not one.
 * @param text one of
 * - `redis://[user:password@]host[:port][/db]`
 * - `redis+sentinel://[user:password@]host[:port],host[:port]/master[/db][?sentinelUsername=…&sentinelPassword=…]`,
 *   where user and password are those of Redis
 * - `redis+cluster://[user:password@]host[:port],host[:port]`
 *
 * `rediss:`, `rediss+sentinel:` and `rediss+cluster:` reach Redis over TLS.
 */
export function readRedisAddress(text: string): RedisAddress | undefined {
  const form = /^redis(s?)(\+sentinel|\+cluster|):\/\/([^/]*@)?([^/@?#\\\s]+)([/?].*)?$/is.exec(text);
  if (!form) return undefined;
  const [, secure, anyCase = '', login = '', hosts = '', path = ''] = form;
  const kind = anyCase.toLowerCase();
  const url = parseUrl(`redis://${login}host${path}`);
  const urls = hosts.split(',').map((host) => parseUrl(`redis://${host}`));
  if (!url || !urls.every((one) => one?.hostname)) return undefined;
  if (kind === '') return urls.length === 1 ? { url: text } : undefined;
  const servers = urls.map((one) => ({
    host: one!.hostname.replace(/^\[|\]$/g, ''),
    port: Number(one!.port) || (kind === '+sentinel' ? SENTINEL_PORT : NODE_PORT),
  }));
  try {
    const credentials = {
      username: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
      tls: secure ? {} : undefined,
    };
    // A cluster has database 0 alone.
    if (kind === '+cluster')
      return /^\/?0?$/.test(path) ? { nodes: servers, redisOptions: credentials } : undefined;
    const [, name, db] = /^\/([^/]+)(?:\/(\d{0,4}))?$/.exec(url.pathname) ?? [];
    if (name === undefined) return undefined;
    return {
      sentinels: servers,
      name: decodeURIComponent(name),
      db: Number(db ?? 0),
      ...credentials,
      sentinelUsername: url.searchParams.get('sentinelUsername') ?? undefined,
      sentinelPassword: url.searchParams.get('sentinelPassword') ?? undefined,
    };
  } catch {
    // A `%` that encodes nothing.
    return undefined;
  }
}
