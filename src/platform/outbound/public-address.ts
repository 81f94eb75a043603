import { BlockList, isIPv4, isIPv6, type IPVersion } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IANA's IPv4 special-purpose registry, multicast and reserved addresses, and one of Azure: no public server has one. */
const SPECIAL_V4 = blockList('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers (CGNAT)
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's own services for its virtual machines, metadata among them
  '169.254.0.0/16', // link-local, and the metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT relays
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]);

/** IANA's global unicast range. Everything outside is special: loopback, ULA, link-local, local NAT64, … */
const GLOBAL_V6 = blockList('ipv6', ['2000::/3']);

/** Special ranges within GLOBAL_V6. */
const SPECIAL_V6 = blockList('ipv6', [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID, …
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: embeds an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // the former 6bone
  '3fff::/20', // documentation
]);

/** IPv4-mapped IPv6 addresses. */
const MAPPED_V4 = blockList('ipv6', ['::ffff:0:0/96']);

/** DNS64's form of an IPv4 address in a network without IPv4; the last 32 bits are that address. */
const NAT64 = blockList('ipv6', ['64:ff9b::/96']);

/**
 * Whether a text is a public address: IPv4, IPv6, or IPv4 within IPv6 (mapped, or by NAT64), and neither private, local
 * nor otherwise special. False for what is not an address, or has a zone.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL_V4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  // A BlockList of IPv4 networks also matches IPv4-mapped IPv6 addresses.
  if (MAPPED_V4.check(address, 'ipv6')) return !SPECIAL_V4.check(address, 'ipv6');
  if (NAT64.check(address, 'ipv6'))
    return isPublicAddress(ipaddr.IPv6.parse(address).toByteArray().slice(12).join('.'));
  return GLOBAL_V6.check(address, 'ipv6') && !SPECIAL_V6.check(address, 'ipv6');
}

function blockList(version: IPVersion, networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string];
    list.addSubnet(address, Number(bits), version);
  }
  return list;
}
