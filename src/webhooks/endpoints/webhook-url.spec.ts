import { isIP } from 'node:net';
import fc from 'fast-check';
import { isPublicAddress } from '../../platform/outbound/public-address.js';
import { readWebhookUrl, URL_FAULTS } from './webhook-url.js';

const long = (length: number) => `https://tienda.example/${'x'.repeat(length - 23)}`;

describe("an endpoint's URL", () => {
  it.each([
    ['https://tienda.example', 'https://tienda.example/'],
    ['https://tienda.example/ganchos?clave=1&b', 'https://tienda.example/ganchos?clave=1&b'],
    ['HTTPS://Tienda.Example:443/A', 'https://tienda.example/A'],
    ['https://tienda.example:8443/', 'https://tienda.example:8443/'],
    ['https://tienda.example./', 'https://tienda.example./'],
    ['https://cafetería.example/año', 'https://xn--cafetera-i2a.example/a%C3%B1o'],
    ['  https://tienda.example/\n', 'https://tienda.example/'],
    ['https:\\\\tienda.example\\a', 'https://tienda.example/a'],
    ['https://tienda.example/a@b', 'https://tienda.example/a@b'],
    ['https://tienda.example/%23', 'https://tienda.example/%23'],
    ['https://localhost.example/', 'https://localhost.example/'],
    ['https://milocalhost/', 'https://milocalhost/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://tienda.example:1024/', 'https://tienda.example:1024/'],
    ['https://tienda.example:65535/', 'https://tienda.example:65535/'],
    ['https://134744072/', 'https://8.8.8.8/'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
    [long(2_048), long(2_048)],
  ])('%j is normalised to %j', (text, href) => {
    expect(readWebhookUrl(text)).toEqual({ href });
    expect(readWebhookUrl(text, true)).toEqual({ href });
  });

  it.each([
    ...['', 'tienda.example', 'tienda.example:443/a', '//tienda.example', 'https://'],
    ...['https://tienda example/', 'https://[::1/', 'https://1.2.3.4.5/', 'https://256.1.1.1/'],
    ...['https://[fe80::1%25eth0]/', 'https://tienda.example:65536/', 'ftp://tienda.example/'],
    ...['javascript:alert(1)', 'data:text/plain,a', 'file:///etc/passwd', 'localhost:3000', 'https://%00/'],
  ])('%j is refused: not an absolute https URL', (text) => {
    expect(readWebhookUrl(text)).toEqual({ fault: URL_FAULTS.notHttps });
    expect(readWebhookUrl(text, true)).toEqual({ fault: URL_FAULTS.notHttp });
  });

  it.each([
    ['https://u@tienda.example/', URL_FAULTS.credentials],
    ['https://:p@tienda.example/', URL_FAULTS.credentials],
    ['https://tienda.example@10.0.0.1/', URL_FAULTS.credentials],
    ['https://tienda.example/#a', URL_FAULTS.fragment],
    ['https://tienda.example/#', URL_FAULTS.fragment],
    [long(2_049), URL_FAULTS.tooLong],
    [`https://tienda.example/${'ñ'.repeat(500)}`, URL_FAULTS.tooLong],
  ])('%s is refused with its reason', (text, fault) => {
    expect(readWebhookUrl(text)).toEqual({ fault });
    expect(readWebhookUrl(text, true)).toEqual({ fault });
  });

  it.each([
    ...['127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '2130706433', '017700000001', '0x7f000001'],
    ...['0x7f.1', '0177.0.0.1', '127.0.0.1%2e', '１２７.0.0.1', '127。0。0。1', '0', '0.0.0.0', '10.0.0.1'],
    ...['172.16.0.1', '192.168.1.1', '100.64.0.1', '169.254.169.254', '0xa9fea9fe', '255.255.255.255'],
    ...['224.0.0.1', '[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::127.0.0.1]', '[::ffff:127.0.0.1]'],
    ...['[::ffff:7f00:1]', '[::FFFF:10.0.0.1]', '[fd00::1]', '[fe80::1]', '[64:ff9b::7f00:1]'],
    ...['[2002:7f00:1::]', '[ff02::1]', 'localhost', 'LocalHost', 'localhost.', 'api.localhost'],
    ...['api.localhost.', 'ⓛocalhost'],
  ])('%s is refused as private, unless private URLs are allowed', (host) => {
    expect(readWebhookUrl(`https://${host}:8443/a`)).toEqual({ fault: URL_FAULTS.notPublic });
    expect(readWebhookUrl(`https://${host}:8443/a`, true)).toHaveProperty('href');
  });

  it.each([0, 1, 22, 25, 80, 442, 444, 1_023])(
    'with port %d is refused, unless private URLs are allowed',
    (port) => {
      const url = `https://tienda.example:${port}/`;
      expect(readWebhookUrl(url)).toEqual({ fault: URL_FAULTS.port });
      expect(readWebhookUrl(url, true)).toHaveProperty('href');
    },
  );

  it('may be plain http only if private URLs are allowed', () => {
    expect(readWebhookUrl('http://tienda.example/')).toEqual({ fault: URL_FAULTS.notHttps });
    expect(readWebhookUrl('http://tienda.example/', true)).toEqual({ href: 'http://tienda.example/' });
  });

  it('is not changed by normalising it again', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, validSchemes: ['https'] }), (text) => {
        const read = readWebhookUrl(text);
        if ('href' in read) expect(readWebhookUrl(read.href)).toEqual(read);
      }),
    );
  });

  it('is never an address that is not public, in any notation', () => {
    const part = fc.oneof(fc.nat(255), fc.constantFrom(0, 10, 127, 169, 172, 192, 254));
    const spelled = fc.tuple(part, fc.constantFrom(8, 10, 16)).map(([value, base]) => {
      const prefix = { 8: '0', 10: '', 16: '0x' }[base];
      return prefix + value.toString(base);
    });
    const hosts = fc.oneof(
      fc.array(spelled, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')),
      fc.nat(2 ** 32 - 1).map(String),
      fc.ipV6().map((address) => `[${address}]`),
    );
    fc.assert(
      fc.property(hosts, fc.constantFrom('', '.'), (host, dot) => {
        const read = readWebhookUrl(`https://${host}${dot}/`);
        if (!('href' in read)) return;
        const address = new URL(read.href).hostname.replace(/^\[|\]$/g, '');
        expect(isIP(address) > 0 && isPublicAddress(address)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
