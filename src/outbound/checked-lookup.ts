import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** Looks up all addresses of a name, like `dns.lookup` with `all`. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A name stands for an address that is none of the public internet. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly code = 'EADDRREFUSED';

  constructor() {
    super('The name stands for an address that is not public.');
  }
}

/**
 * A socket's own `lookup`, which gives it checked addresses only. The socket connects to what it is given
 * here and asks nobody again, so the name cannot mean something else between check and connection.
 * One address that is not public condemns them all: whoever answers so is not to be believed.
 * The error is an `AddressRefusedError`, or that of `resolve`.
 */
export function checkedLookup(resolve: Resolve = lookup, isAllowed = isPublicAddress): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAllowed(address)))
        return callback(new AddressRefusedError(), []);
      // Node asks for all of them to race the families, for one where that is switched off.
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
