import type { LookupAddress, LookupOptions } from 'node:dns';
import { AddressRefusedError, checkedLookup, type Resolve } from './checked-lookup.js';

const PUBLIC_V4 = '142.250.64.110';
const PUBLIC_V6 = '2607:f8b0:4004:c07::8a';
const MAPPED = '::ffff:142.250.64.110';

const toAddress = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });

/** What a socket gets for a name that resolves to these addresses. */
async function lookUp(addresses: string[] | Error, options: LookupOptions = { all: true }) {
  const asked: unknown[] = [];
  const resolve: Resolve = (hostname, asks, callback) => {
    asked.push([hostname, asks]);
    if (addresses instanceof Error) callback(addresses, undefined as never);
    else callback(null, addresses.map(toAddress));
  };
  return new Promise<{ error: Error | null; address: unknown; family: unknown; asked: unknown[] }>((done) => {
    checkedLookup(resolve)('maps.app.goo.gl', options, (error, address, family) =>
      done({ error, address, family, asked }),
    );
  });
}

describe('the checked lookup', () => {
  it.each([[[PUBLIC_V4]], [[PUBLIC_V6]], [[PUBLIC_V6, PUBLIC_V4]], [[MAPPED, PUBLIC_V4]]])(
    'returns the public addresses %j',
    async (addresses) => {
      expect(await lookUp(addresses)).toMatchObject({ error: null, address: addresses.map(toAddress) });
    },
  );

  it('returns the first address to a socket that takes only one', async () => {
    expect(await lookUp([PUBLIC_V6, PUBLIC_V4], {})).toMatchObject({
      error: null,
      address: PUBLIC_V6,
      family: 6,
    });
  });

  it.each([
    [['127.0.0.1']],
    [['192.168.4.4', PUBLIC_V4]],
    [[PUBLIC_V4, '10.0.0.1']],
    [[PUBLIC_V4, PUBLIC_V6, '::1']],
    [['::ffff:10.0.0.1', PUBLIC_V4]],
    [['::ffff:7f00:1']],
    [['fd00:ec2::254', PUBLIC_V6]],
    [['64:ff9b::7f00:1', PUBLIC_V4]],
    [['169.254.169.254']],
    [['0.0.0.0']],
    [['not-an-address']],
    [[]],
  ])('refuses all of %j', async (addresses) => {
    for (const options of [{ all: true }, { all: false }, {}]) {
      const { error, address } = await lookUp(addresses, options);
      expect(error).toBeInstanceOf(AddressRefusedError);
      expect(address).toEqual([]);
    }
  });

  it('resolves once, and all addresses, whatever the socket asks for', async () => {
    const { asked } = await lookUp([PUBLIC_V4], { family: 4, hints: 1 });
    expect(asked).toEqual([['maps.app.goo.gl', { family: 4, hints: 1, all: true }]]);
  });

  it('passes on that there is no such name', async () => {
    const failure = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    expect((await lookUp(failure)).error).toBe(failure);
  });

  it('uses the system resolver by default, and refuses its local names', async () => {
    const error = await new Promise((done) => checkedLookup()('localhost', { all: true }, done));
    expect(error).toBeInstanceOf(AddressRefusedError);
  });
});
