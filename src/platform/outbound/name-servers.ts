import { Resolver, type LookupAddress } from 'node:dns';
import type { Resolve } from './checked-lookup.js';

/** ms; timeout of the first query. It doubles for the second and last one, so a silent server costs 6 s. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Resolves untrusted names by querying the name servers directly. `dns.lookup` runs only two lookups at a time in the
 * whole process: two names with silent servers would block all others, including the database's.
 * Ignores `/etc/hosts` and search domains, which contain no public names.
 * @param servers `ADDRESS:PORT`. Default: the system's.
 * @param timeoutMs of the first query.
 */
export function nameServers(servers?: readonly string[], timeoutMs = TIMEOUT_MS): Resolve {
  return (hostname, _options, callback) => {
    // A new resolver each time: an existing one does not notice changes of the system's name servers.
    const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const found: { 4?: LookupAddress[]; 6?: LookupAddress[] } = {};
    let firstError: NodeJS.ErrnoException | null = null;
    const take = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, addresses: string[]) => {
      firstError ??= error;
      found[family] = error ? [] : addresses.map((address) => ({ address, family }));
      if (!found[4] || !found[6]) return;
      // IPv4 first, because this machine may have no IPv6.
      const all = [...found[4], ...found[6]];
      if (all.length > 0) callback(null, all);
      else callback(firstError, []);
    };
    resolver.resolve4(hostname, take(4));
    resolver.resolve6(hostname, take(6));
  };
}
