import { randomBytes } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { Socket } from 'node:net';
import { startHttpStub, type HttpStub } from '../../../test/support/http-stub.js';
import { TEST_CERTIFICATE } from '../../../test/support/test-certificate.js';
import type { Resolve } from '../../platform/outbound/checked-lookup.js';
import { DeliveryClient, type DeliveryClientOptions } from './delivery.client.js';

const DELIVERY = {
  id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
  body: '{"type":"guia.recogido"}',
  keys: [randomBytes(32)],
  // Longer than a test may take, so that a request ends for another reason.
  timeoutMs: 600_000,
};

let stub: HttpStub;
beforeAll(async () => (stub = await startHttpStub()));
afterEach(() => stub.reset());
afterAll(() => stub.close());

async function deliverWith(options: DeliveryClientOptions, url: string, timeoutMs = DELIVERY.timeoutMs) {
  const own = new DeliveryClient(options);
  try {
    return await own.deliver({ ...DELIVERY, url, timeoutMs });
  } finally {
    own.close();
  }
}

describe('without `allowPrivate`, a delivery', () => {
  let secure: HttpStub;
  let events: jest.SpyInstance;
  /** Addresses that sockets of this process began to connect to. */
  const attempts = () =>
    events.mock.calls.filter(([name]) => name === 'connectionAttempt').map(([, address]) => address);
  const toAddress = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });
  const names = (...addresses: string[]): Resolve =>
    jest.fn((_hostname, _options, callback) => callback(null, addresses.map(toAddress)));
  /** The stub's URL with a host name of its certificate. */
  const named = () => secure.url.replace('127.0.0.1', 'maps.app.goo.gl');
  const trusting = { ca: TEST_CERTIFICATE.cert, isAllowedAddress: () => true };

  beforeAll(async () => (secure = await startHttpStub(TEST_CERTIFICATE)));
  beforeEach(() => (events = jest.spyOn(Socket.prototype, 'emit')));
  afterEach(() => {
    events.mockRestore();
    secure.reset();
  });
  afterAll(() => secure.close());

  it('goes over TLS, and the connection is reused', async () => {
    const lookup = names('127.0.0.1');
    const own = new DeliveryClient({ ...trusting, lookup });
    for (let n = 0; n < 3; n += 1)
      expect(await own.deliver({ ...DELIVERY, url: named() })).toMatchObject({ ok: true });
    expect([secure.requests.length, secure.connections()]).toEqual([3, 1]);
    expect(lookup).toHaveBeenCalledTimes(1);
    own.close();
  });

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['0.0.0.0']],
    [['10.0.0.1']],
    [['169.254.169.254']],
    [['fd00:ec2::254']],
    [['64:ff9b::7f00:1']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
  ])('never connects to a name that resolves to %j', async (addresses) => {
    const outcome = await deliverWith({ lookup: names(...addresses) }, named());
    expect(outcome).toMatchObject({ ok: false, error: 'EADDRREFUSED' });
    expect(attempts()).toEqual([]);
    expect(secure.connections()).toBe(0);
  });

  it.each([
    ...['127.0.0.1', '127.1', '2130706433', '0x7f.0.0.1', '0177.0.0.1', '127.0.0.1.', '[::1]'],
    ...['[::ffff:127.0.0.1]', '0.0.0.0', 'localhost', '10.0.0.1', '169.254.169.254', 'u:p@127.0.0.1'],
  ])('never connects to %s, which is not resolved', async (host) => {
    const url = secure.url.replace('127.0.0.1', host);
    expect(await deliverWith({}, url)).toMatchObject({ ok: false, error: 'EADDRREFUSED' });
    expect(attempts()).toEqual([]);
    expect(secure.connections()).toBe(0);
  });

  it('is never sent over plain http', async () => {
    expect(await deliverWith({}, stub.url)).toMatchObject({ ok: false, error: 'EADDRREFUSED' });
    const url = named().replace('https:', 'http:');
    expect(await deliverWith({ lookup: names('127.0.0.1'), ...trusting }, url)).toMatchObject({
      error: 'EADDRREFUSED',
    });
    expect(attempts()).toEqual([]);
  });

  it('does not follow a redirect', async () => {
    secure.answer({ status: 307, headers: { location: `${stub.url}/` } });
    const outcome = await deliverWith({ lookup: names('127.0.0.1'), ...trusting }, named());
    expect(outcome).toMatchObject({ ok: false, status: 307 });
    expect([secure.connections(), stub.connections()]).toEqual([1, 0]);
  });

  it.each([
    ['that no authority signed', 'maps.app.goo.gl', undefined, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['of another name', 'tienda.example', TEST_CERTIFICATE.cert, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('is refused for a certificate %s, as if nothing listened there', async (_what, name, ca, code) => {
    const options = { lookup: names('127.0.0.1'), isAllowedAddress: () => true, ca };
    const outcome = await deliverWith(options, secure.url.replace('127.0.0.1', name));
    expect(outcome).toMatchObject({ ok: false, status: null, error: 'ECONNECT', code });
    expect(secure.requests).toEqual([]);
  });

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])(
    'looks the same to the merchant whatever the connection fails with: %s',
    async (code) => {
      const fails: Resolve = (_hostname, _options, callback) =>
        callback(Object.assign(new Error('no connection'), { code }), []);
      const outcome = await deliverWith({ lookup: fails }, named());
      expect(outcome).toMatchObject({ ok: false, status: null, error: 'ECONNECT', code });
    },
  );

  it('fails to connect if its lookup does not end in time', async () => {
    const silent: Resolve = () => undefined;
    const outcome = await deliverWith({ lookup: silent }, named(), 100);
    expect(outcome).toMatchObject({ error: 'ECONNECT', code: 'ETIMEDOUT' });
  });

  it('reports 410 as gone', async () => {
    secure.answer({ status: 410 });
    const outcome = await deliverWith({ lookup: names('127.0.0.1'), ...trusting }, named());
    expect(outcome).toMatchObject({ ok: false, status: 410, gone: true });
  });
});
