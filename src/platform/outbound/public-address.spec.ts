import { BlockList } from 'node:net';
import fc from 'fast-check';
import { isPublicAddress } from './public-address.js';

/** First and last address of every range that IANA lists as special, and Azure's address for its own services. */
const NOT_PUBLIC_V4 = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
] as const;

const PUBLIC_V4 = [
  '1.1.1.1',
  '8.8.8.8',
  '142.250.64.110',
  '17.253.144.10',
  // Next to each special range.
  ...[
    ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    '128.0.0.0',
  ],
  ...[
    ...['168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
    ...['191.255.255.255', '192.0.1.0'],
  ],
  ...['192.0.1.255', '192.0.3.0', '192.31.195.255', '192.31.197.0', '192.52.192.255', '192.52.194.0'],
  ...['192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0', '192.175.47.255', '192.175.49.0'],
  ...['198.17.255.255', '198.20.0.0', '198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0'],
  '223.255.255.255',
];

const NOT_PUBLIC_V6 = [
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['loopback, written out', '0:0:0:0:0:0:0:1'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['IPv4-compatible, of a public address', '::8.8.8.8'],
  ['IPv4-translated', '::ffff:0:8.8.8.8'],
  ['NAT64 of a private address', '64:ff9b::10.0.0.1'],
  ['NAT64 of loopback', '64:ff9b::127.0.0.1'],
  ['NAT64 of a metadata service', '64:FF9B::A9FE:A9FE'],
  ['NAT64, last', '64:ff9b::ffff:ffff'],
  ['below NAT64', '64:ff9a:ffff:ffff:ffff:ffff:808:808'],
  ['beside NAT64', '64:ff9b::1:808:808'],
  ['local NAT64', '64:ff9b:1::'],
  ['local NAT64 of a public address', '64:ff9b:1::8.8.8.8'],
  ['local NAT64, last', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['discard', '100::'],
  ['discard, last', '100::ffff:ffff:ffff:ffff'],
  ['dummy', '100:0:0:1::1'],
  ['below global unicast', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['Teredo', '2001::'],
  ['Teredo of loopback', '2001:0:7f00:1:0:0:80ff:fffe'],
  ['benchmarks', '2001:2::1'],
  ['AMT', '2001:3::1'],
  ['AS112', '2001:4:112::1'],
  ['ORCHID', '2001:10::1'],
  ['ORCHIDv2', '2001:20::1'],
  ['drone ids', '2001:30::1'],
  ['protocol assignments, last', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '2001:db8::1'],
  ['documentation, last', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['6to4 of a private address', '2002:a00:1::'],
  ['6to4 of a public address', '2002:808:808::1'],
  ['6to4, last', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['AS112', '2620:4f:8000::1'],
  ['6bone', '3ffe::1'],
  ['documentation', '3fff::1'],
  ['documentation, last', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['above global unicast', '4000::'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fc00::'],
  ['unique local', 'fd00:ec2::254'],
  ['unique local, last', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%lo'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff00::'],
  ['multicast', 'ff02::1'],
  ['the last of all', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['a public one with a zone', '2607:f8b0:4004::8a%eth0'],
] as const;

const PUBLIC_V6 = [
  ...['64:ff9b::8.8.8.8', '64:FF9B::5DB8:D822', '0064:ff9b:0:0:0:0:5db8:d822', '2000::', '2001:200::1'],
  ...['2001:4860:4860::8888', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::', '2003::1'],
  ...['2606:4700:4700::1111', '2607:f8b0:4004:c07::8a', '2607:F8B0:4004:C07::8A', '2620:4f:7fff::1'],
  ...['2620:4f:8001::1', '2a00:1450:4001::200e', '3ffd:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::'],
];

const NO_ADDRESS = ['', ' ', 'localhost', 'maps.app.goo.gl', '2130706433', '0x7f.1', '127.1', '010.0.0.1'];
const NO_ADDRESS_V6 = ['[::1]', '::ffff:8.8.8', '8.8.8.8 ', '8.8.8.8\n', '8.8.8.8%lo', ':::', '1::2::3'];

const anyV4 = fc.ipV4();

describe('a public address', () => {
  it.each(NOT_PUBLIC_V4)('is not between %s and %s, in IPv4 or IPv4-mapped notation', (first, last) => {
    for (const address of [first, last]) {
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
      expect([address, isPublicAddress(`::ffff:${address}`)]).toEqual([address, false]);
      expect([address, isPublicAddress(`::FFFF:${hex(address)}`)]).toEqual([address, false]);
    }
  });

  it.each(PUBLIC_V4)('is %s, in IPv4 and IPv4-mapped notation', (address) => {
    expect(isPublicAddress(address)).toBe(true);
    expect(isPublicAddress(`::ffff:${address}`)).toBe(true);
    expect(isPublicAddress(`0:0:0:0:0:ffff:${hex(address)}`)).toBe(true);
  });

  it.each(NOT_PUBLIC_V6)('is not %s (%s)', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(PUBLIC_V6)('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([...NO_ADDRESS, ...NO_ADDRESS_V6])('is not %j, which is not an address', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  it('is the same in IPv4, IPv4-mapped notation and behind NAT64', () => {
    fc.assert(
      fc.property(anyV4, (address) => {
        const judged = isPublicAddress(address);
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(judged);
        expect(isPublicAddress(`::ffff:${address}`)).toBe(judged);
        expect(isPublicAddress(`::ffff:${hex(address)}`)).toBe(judged);
      }),
    );
  });

  it('is never an IPv6 address outside 2000::/3, unless it contains an IPv4 address', () => {
    const outside = new BlockList();
    outside.addSubnet('64:ff9b::', 96, 'ipv6');
    outside.addSubnet('2000::', 3, 'ipv6');
    outside.addSubnet('::ffff:0:0', 96, 'ipv6');
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        fc.pre(!outside.check(address, 'ipv6'));
        expect(isPublicAddress(address)).toBe(false);
      }),
    );
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.ipV6(), fc.string({ unit: fc.constantFrom(...'0123456789abcdef:.%/') })),
        (text) => {
          expect(typeof isPublicAddress(text)).toBe('boolean');
        },
      ),
    );
  });
});

/** `10.0.0.1` → `a00:1`. */
function hex(address: string): string {
  const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
