import type { RedisOptions, SentinelAddress } from 'ioredis';
import { parseUrl } from '../validation/parse-url.js';

/** The port of a Sentinel that names none. */
const SENTINEL_PORT = 26_379;

/** What REDIS_URL must look like, for error messages. */
export const REDIS_URL_RULE =
  'must be a URL that starts with redis:// or rediss://, or name Sentinels: redis+sentinel://HOST:PORT,HOST:PORT/MASTER';

/** How Redis is reached: one server by its URL, or the master that Sentinels know by a name. */
export type RedisAddress = { readonly url: string } | Readonly<SentinelOptions>;

type SentinelOptions = Pick<
  RedisOptions,
  'name' | 'username' | 'password' | 'sentinelUsername' | 'sentinelPassword' | 'db' | 'tls'
> & { sentinels: Partial<SentinelAddress>[] };

/**
 * The address in a REDIS_URL; undefined if it is none.
 * @param text `redis://…`, `rediss://…`, or for Sentinels
 * `redis+sentinel://[user:password@]host[:port],host[:port]/master[/db][?sentinelUsername=…&sentinelPassword=…]`, where
 * user and password are those of Redis, and `rediss+sentinel:` reaches it over TLS.
 */
export function readRedisAddress(text: string): RedisAddress | undefined {
  const [scheme = '', rest = ''] = text.split(/:\/\/(.*)/s);
  const [authority = '', path = ''] = rest.split(/(?=\/)(.*)/s);
  switch (scheme.toLowerCase()) {
    case 'redis':
    case 'rediss':
      return authority !== '' && parseUrl(text) ? { url: text } : undefined;
    case 'redis+sentinel':
      return sentinels(authority, path);
    case 'rediss+sentinel': {
      const address = sentinels(authority, path);
      return address && { ...address, tls: {} };
    }
    default:
      return undefined;
  }
}

function sentinels(authority: string, path: string): SentinelOptions | undefined {
  const at = authority.lastIndexOf('@');
  const hosts = authority
    .slice(at + 1)
    .split(',')
    .map((host) => (host === '' ? undefined : parseUrl(`redis://${host}`)));
  const rest = parseUrl(`redis://${authority.slice(0, at + 1)}host${path}`);
  const [, name, db, ...more] = rest?.pathname.split('/') ?? [];
  if (!rest || !name || more.length > 0 || !/^\d{0,4}$/.test(db ?? '')) return undefined;
  if (!hosts.every((host) => host !== undefined && host.hostname !== '')) return undefined;
  const query = rest.searchParams;
  try {
    return {
      sentinels: hosts.map((host) => ({
        host: host!.hostname.replace(/^\[|\]$/g, ''),
        port: Number(host!.port) || SENTINEL_PORT,
      })),
      name: decodeURIComponent(name),
      ...(db && { db: Number(db) }),
      ...(rest.username && { username: decodeURIComponent(rest.username) }),
      ...(rest.password && { password: decodeURIComponent(rest.password) }),
      ...(query.has('sentinelUsername') && { sentinelUsername: query.get('sentinelUsername')! }),
      ...(query.has('sentinelPassword') && { sentinelPassword: query.get('sentinelPassword')! }),
    };
  } catch {
    return undefined; // A `%` that encodes nothing.
  }
}
