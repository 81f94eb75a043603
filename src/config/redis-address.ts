import type { ClusterOptions, RedisOptions } from 'ioredis';
import { parseUrl } from '../validation/parse-url.js';

/** The ports of a Sentinel and of a node that name none. */
const SENTINEL_PORT = 26_379;
const NODE_PORT = 6_379;

const SENTINEL_FORM = 'redis+sentinel://HOST:PORT,HOST:PORT/MASTER';
const CLUSTER_FORM = 'redis+cluster://HOST:PORT,HOST:PORT';

/** The form of REDIS_URL, for error messages, which never repeat the value. */
const FAULTS = {
  scheme: `must be a URL that starts with redis:// or rediss://, or name Sentinels: ${SENTINEL_FORM}, or nodes of a cluster: ${CLUSTER_FORM}`,
  several: `must name one server; of several, say what they are: Sentinels (${SENTINEL_FORM}) or nodes of a cluster (${CLUSTER_FORM})`,
  hosts: 'must name its servers as HOST or HOST:PORT, separated by commas, without spaces',
  escape: 'must have user, password and names percent-encoded: a % is %25',
  master: `must name the master that the Sentinels watch: ${SENTINEL_FORM}`,
  afterMaster: `must have nothing after the master but the number of a database: ${SENTINEL_FORM}/0`,
  afterNodes: `must end after the last node: ${CLUSTER_FORM}; a Redis Cluster has database 0 alone`,
};

/** How Redis is reached: one server by its URL, the master that Sentinels know by a name, or a cluster by some of its nodes. */
export type RedisAddress = { readonly url: string } | Readonly<SentinelOptions> | ClusterAddress;

interface HostAndPort {
  host: string;
  port: number;
}

type Credentials = Pick<RedisOptions, 'username' | 'password' | 'tls'>;

type SentinelOptions = Credentials &
  Pick<RedisOptions, 'name' | 'sentinelUsername' | 'sentinelPassword' | 'db'> & {
    sentinels: HostAndPort[];
  };

/** A Redis Cluster. */
export interface ClusterAddress {
  /** Nodes that are asked for all others; one answer is enough. */
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

interface Fault {
  /** The fix, printed after the variable's name. */
  readonly fault: string;
}

/**
 * The address in a REDIS_URL, or its fault.
 * @param text one of
 * - `redis://[user:password@]host[:port][/db]`
 * - `redis+sentinel://[user:password@]host[:port],host[:port]/master[/db][?sentinelUsername=…&sentinelPassword=…]`,
 *   where user and password are those of Redis
 * - `redis+cluster://[user:password@]host[:port],host[:port]`
 *
 * `rediss:`, `rediss+sentinel:` and `rediss+cluster:` reach Redis over TLS.
 */
export function readRedisAddress(text: string): RedisAddress | Fault {
  const [, secure, kind, authority = '', path = ''] =
    /^redis(s?)(?:\+(sentinel|cluster))?:\/\/([^/]*)(.*)$/is.exec(text) ?? [];
  if (authority === '') return { fault: FAULTS.scheme };
  const at = authority.lastIndexOf('@') + 1;
  const hosts = authority.slice(at).split(',');
  if (kind === undefined) {
    if (hosts.length > 1) return { fault: FAULTS.several };
    return parseUrl(text) ? { url: text } : { fault: FAULTS.scheme };
  }
  const rest = parseUrl(`redis://${authority.slice(0, at)}host${path}`);
  const isSentinel = kind.toLowerCase() === 'sentinel';
  const servers = serversIn(hosts, isSentinel ? SENTINEL_PORT : NODE_PORT);
  if (!rest || !servers) return { fault: FAULTS.hosts };
  try {
    const credentials: Credentials = {
      ...(rest.username && { username: decodeURIComponent(rest.username) }),
      ...(rest.password && { password: decodeURIComponent(rest.password) }),
      ...(secure && { tls: {} }),
    };
    if (isSentinel) return sentinels(servers, credentials, rest);
    const isWhole = /^\/?0?$/.test(rest.pathname) && rest.search === '' && rest.hash === '';
    return isWhole ? { nodes: servers, redisOptions: credentials } : { fault: FAULTS.afterNodes };
  } catch {
    return { fault: FAULTS.escape };
  }
}

/** @throws URIError for a `%` that encodes nothing. */
function sentinels(
  servers: HostAndPort[],
  credentials: Credentials,
  { pathname, searchParams: query }: URL,
): SentinelOptions | Fault {
  const [, name, db = '', ...more] = pathname.split('/');
  if (!name) return { fault: FAULTS.master };
  if (more.length > 0 || !/^\d{0,4}$/.test(db)) return { fault: FAULTS.afterMaster };
  return {
    sentinels: servers,
    name: decodeURIComponent(name),
    ...(db && { db: Number(db) }),
    ...credentials,
    ...(query.has('sentinelUsername') && { sentinelUsername: query.get('sentinelUsername')! }),
    ...(query.has('sentinelPassword') && { sentinelPassword: query.get('sentinelPassword')! }),
  };
}

/** Host and port of each; undefined where one is something else. */
function serversIn(hosts: string[], port: number): HostAndPort[] | undefined {
  const urls = hosts.map((host) => (/^[^\s?#\\]+$/.test(host) ? parseUrl(`redis://${host}`) : undefined));
  if (!urls.every((url) => url !== undefined && url.hostname !== '')) return undefined;
  return urls.map((url) => ({
    host: url!.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url!.port) || port,
  }));
}
