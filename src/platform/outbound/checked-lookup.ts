import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** Resolves a name to all its addresses, like `dns.lookup` with `all`. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The error's code when an address may not be connected to. */
export const ADDRESS_REFUSED = 'EADDRREFUSED';

/** A host name resolves to an address that is not public. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly code = ADDRESS_REFUSED;

  constructor() {
    super('The name stands for an address that is not public.');
  }
}

/**
 * A `lookup` for sockets that returns only public addresses. The socket connects to the returned address without
 * resolving again, so the name cannot change between check and connection (DNS rebinding). One non-public address
 * rejects them all, because such a response is not trusted.
 * Fails with an `AddressRefusedError`, or with the error of `resolve`.
 */
export function checkedLookup(resolve: Resolve = lookup, isAllowed = isPublicAddress): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAllowed(address)))
        return callback(new AddressRefusedError(), []);
      // Node asks for all addresses unless autoSelectFamily is off.
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
