import { Resolver, type LookupAddress } from 'node:dns';
import type { Resolve } from './checked-lookup.js';

/** Milliseconds before a name server is asked again; then twice as many before it is given up: 6 s in all. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Looks names up by asking the name servers itself, for names that strangers chose. `dns.lookup` does no more than
 * two at a time for the whole process: two names whose servers are silent would hold up everyone else's, the
 * database's among them. It knows nothing of `/etc/hosts` and of search domains, where no public name is.
 * @param servers `ADDRESS:PORT`. Default: the system's.
 */
export function nameServers(servers?: readonly string[]): Resolve {
  return (hostname, _options, callback) => {
    // A new one each time: one that is kept never learns that the system's servers have changed.
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const found: { 4?: LookupAddress[]; 6?: LookupAddress[] } = {};
    let firstError: NodeJS.ErrnoException | null = null;
    const take = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, addresses: string[]) => {
      firstError ??= error;
      found[family] = error ? [] : addresses.map((address) => ({ address, family }));
      if (!found[4] || !found[6]) return;
      // IPv4 first: whether this machine has IPv6 at all is not asked here.
      const all = [...found[4], ...found[6]];
      if (all.length > 0) callback(null, all);
      else callback(firstError, []);
    };
    resolver.resolve4(hostname, take(4));
    resolver.resolve6(hostname, take(6));
  };
}
