import { parseUrl } from './parse-url.js';

/** The form of DATABASE_URL and MIGRATION_DATABASE_URL, for error messages. */
export const DATABASE_URL_RULE =
  'must be a URL of one server, postgres://user:password@host:port/database; of several, the address of a proxy that follows the one that takes writes (docs/scaling.md, Failover)';

/** @param text `postgres://…` or `postgresql://…`; libpq's form for several servers, `host,host`, is refused. */
export function isDatabaseUrl(text: string): boolean {
  const authority = /^postgres(?:ql)?:\/\/(?=.)([^/?#]*)/i.exec(text)?.[1];
  const host = authority?.slice(authority.lastIndexOf('@') + 1);
  return host !== undefined && !host.includes(',') && parseUrl(text) !== undefined;
}
