import { networkOf } from './rate-limiter.js';

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:1:0002::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8::', '2001:db8:0:0'],
    ['1::3:4:5:6:7:8', '1:0:3:4'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('keeps the first 64 bits of IPv6, and all of IPv4: %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });

  it('gives IPv4 addresses written as IPv6 a network each', () => {
    expect(networkOf('::ffff:203.0.113.7')).not.toBe(networkOf('::ffff:203.0.113.8'));
  });

  it('keeps all of the loopback address', () => {
    expect(networkOf('::1')).toBe('0:0:0:0:0:0:0:1');
  });

  it('returns text that is not an address unchanged', () => {
    expect(networkOf('')).toBe('');
  });
});
