import { parseUrl } from './parse-url.js';

/** The form of DATABASE_URL and MIGRATION_DATABASE_URL, for error messages. */
export const DATABASE_URL_RULE =
  'must be a URL that starts with postgres:// or postgresql://; of several servers, of which one takes writes: postgres://user:password@host:port,host:port/database?target_session_attrs=read-write';

/** Accepted `target_session_attrs`. libpq's other values do not select a writable server. */
const WRITABLE = ['read-write', 'primary'];

/**
 * The URL of each server that a database URL names, in its order; undefined for a text that is no database URL. The server
 * that takes writes is searched for among several, or where there is a `target_session_attrs`. All have the same user,
 * password, database and parameters.
 * @param text `postgres://…`, or libpq's form for several: `postgres://user:password@host[:port],host[:port]/database`.
 */
export function readDatabaseUrl(text: string): { urls: readonly string[]; isSearched: boolean } | undefined {
  const [, scheme, authority = '', rest = ''] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/is.exec(text) ?? [];
  if (scheme === undefined || authority + rest === '') return undefined;
  const at = authority.lastIndexOf('@') + 1;
  const hosts = authority.slice(at).split(',');
  const urls = hosts.map((host) => parseUrl(scheme + authority.slice(0, at) + host + rest));
  if (hosts.length > 1 && hosts.includes('')) return undefined;
  const attributes = urls[0]?.searchParams.getAll('target_session_attrs') ?? [];
  if (!attributes.every((value) => WRITABLE.includes(value))) return undefined;
  // A host in a parameter would replace the host of every server.
  if (hosts.length > 1 && urls[0]?.searchParams.has('host')) return undefined;
  if (!urls.every((url) => url !== undefined)) return undefined;
  if (hosts.length === 1 && attributes.length === 0) return { urls: [text], isSearched: false };
  for (const url of urls) url.searchParams.delete('target_session_attrs');
  const all = urls.map(({ href }) => href);
  return new Set(all).size === all.length ? { urls: all, isSearched: true } : undefined;
}
