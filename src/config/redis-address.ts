import type { ClusterOptions, RedisOptions } from 'ioredis';
import { parseUrl } from './parse-url.js';

/** The ports of a Sentinel and of a node that name none. */
const SENTINEL_PORT = 26_379;
const NODE_PORT = 6_379;

export const REDIS_URL_RULE =
  'must be redis://HOST:PORT; for Sentinels redis+sentinel://HOST:PORT,HOST:PORT/MASTER, for a cluster redis+cluster://HOST:PORT,HOST:PORT; in rediss://, rediss+sentinel:// or rediss+cluster:// over TLS; with user and password percent-encoded (a % is %25)';

/** How Redis is reached: one server by its URL, the master that Sentinels know by a name, or a cluster by some of its nodes. */
export type RedisAddress = { readonly url: string } | Readonly<SentinelOptions> | ClusterAddress;

interface HostAndPort {
  host: string;
  port: number;
}

type Credentials = Pick<RedisOptions, 'username' | 'password' | 'tls'>;

type SentinelOptions = Credentials &
  Pick<RedisOptions, 'name' | 'sentinelUsername' | 'sentinelPassword' | 'db'> & { sentinels: HostAndPort[] };

/** A Redis Cluster. */
export interface ClusterAddress {
  /** Nodes that are asked for all others; one that answers is enough. */
  readonly nodes: HostAndPort[];
  /** User, password and TLS of every node. */
  readonly redisOptions: Credentials;
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
 * What ioredis needs to reach the Redis of a REDIS_URL; undefined if it is not one.
 * @param text one of
 * - `redis://[user:password@]host[:port][/db]`
 * - `redis+sentinel://[user:password@]host[:port],host[:port]/master[/db][?sentinelUsername=…&sentinelPassword=…]`,
 *   where user and password are those of Redis
 * - `redis+cluster://[user:password@]host[:port],host[:port]`
 *
 * `rediss:`, `rediss+sentinel:` and `rediss+cluster:` reach Redis over TLS.
 */
export function readRedisAddress(text: string): RedisAddress | undefined {
  const form = /^redis(s?)(\+sentinel|\+cluster|):\/\/([^/]*@)?([^/@]+)(\/.*)?$/is.exec(text);
  if (!form) return undefined;
  const [, secure, anyCase = '', login = '', hosts = '', path = ''] = form;
  const kind = anyCase.toLowerCase();
  const servers = hosts
    .split(',')
    .map((host) => serverOf(host, kind === '+sentinel' ? SENTINEL_PORT : NODE_PORT));
  const url = parseUrl(`redis://${login}host${path}`);
  if (!url || !isComplete(servers)) return undefined;
  if (kind === '') return servers.length === 1 ? { url: text } : undefined;
  try {
    const credentials: Credentials = {
      ...(url.username && { username: decodeURIComponent(url.username) }),
      ...(url.password && { password: decodeURIComponent(url.password) }),
      ...(secure && { tls: {} }),
    };
    if (kind === '+sentinel') return sentinels(servers, credentials, url);
    // A cluster has database 0 alone.
    return /^\/?0?$/.test(path) ? { nodes: servers, redisOptions: credentials } : undefined;
  } catch {
    return undefined;
  }
}

/** @throws URIError for a `%` that encodes nothing. */
function sentinels(
  servers: HostAndPort[],
  credentials: Credentials,
  { pathname, searchParams }: URL,
): SentinelOptions | undefined {
  const [, name, db] = /^\/([^/]+)(?:\/(\d{0,4}))?$/.exec(pathname) ?? [];
  if (name === undefined) return undefined;
  const sentinelUsername = searchParams.get('sentinelUsername');
  const sentinelPassword = searchParams.get('sentinelPassword');
  return {
    sentinels: servers,
    name: decodeURIComponent(name),
    ...(db && { db: Number(db) }),
    ...credentials,
    ...(sentinelUsername !== null && { sentinelUsername }),
    ...(sentinelPassword !== null && { sentinelPassword }),
  };
}

/** A host with its port, or undefined. */
function serverOf(text: string, port: number): HostAndPort | undefined {
  const url = /[\s?#\\]/.test(text) ? undefined : parseUrl(`redis://${text}`);
  if (!url?.hostname) return undefined;
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || port };
}

function isComplete(servers: (HostAndPort | undefined)[]): servers is HostAndPort[] {
  return servers.every((server) => server !== undefined);
}
