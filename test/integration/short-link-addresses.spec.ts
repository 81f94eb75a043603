import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import {
  createServer,
  getDefaultAutoSelectFamily,
  setDefaultAutoSelectFamily,
  type Server,
  Socket,
} from 'node:net';
import type { Resolve } from '../../src/platform/outbound/checked-lookup.js';
import { ShortLinkClient, type ShortLinkOptions } from '../../src/locations/short-links/short-link.client.js';
import { startMapHosts, UNREACHED_LIMITS, type MapHosts } from '../support/map-hosts.js';

const LINK = 'https://maps.app.goo.gl/FZEGYAYLDJTRtLrWz';
const PIN = 'https://www.google.com/maps?q=14.622073,-89.580067';
const FOUND = { kind: 'coordinates', lat: 14.622073, lng: -89.580067, origin: 'query' };
const PUBLIC = '142.250.64.110';
const PUBLIC_V6 = '2607:f8b0:4004:c07::8a';

/** The map services on 127.0.0.1, and another server on the same port of ::1. */
let hosts: MapHosts;
let neighbour: Server;
let visits = 0;
let events: jest.SpyInstance;
/** Every address that was attempted on the port of the map services; other tests in this process have other ports. */
const attempts = () =>
  events.mock.calls
    .filter(([name, , port]) => name === 'connectionAttempt' && port === hosts.server.port)
    .map(([, address]) => address);

beforeAll(async () => {
  hosts = await startMapHosts();
  neighbour = createServer(() => (visits += 1));
  neighbour.listen(hosts.server.port, '::1');
  // Fails on a machine without IPv6, where no connection can arrive either.
  await once(neighbour, 'listening').catch(() => undefined);
});
beforeEach(() => {
  events = jest.spyOn(Socket.prototype, 'emit');
  hosts.answer(LINK, { status: 302, location: PIN });
});
afterEach(() => {
  events.mockRestore();
  hosts.reset();
});
afterAll(async () => {
  neighbour.close();
  await hosts.close();
});

const toAddress = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });

/** A resolver that gives these answers in order; the last one repeats. */
function names(...answers: string[][]) {
  return jest.fn<void, Parameters<Resolve>>((_hostname, _options, callback) =>
    callback(null, (answers.length > 1 ? answers.shift()! : answers[0]!).map(toAddress)),
  );
}

const expand = (options: ShortLinkOptions) =>
  new ShortLinkClient({ ...UNREACHED_LIMITS, server: hosts.server, ...options }).expand(LINK, 'm1');

describe.each([true, false])('with autoSelectFamily %s', (isOn) => {
  const before = getDefaultAutoSelectFamily();
  beforeAll(() => setDefaultAutoSelectFamily(isOn));
  afterAll(() => setDefaultAutoSelectFamily(before));

  it.each([
    [['127.0.0.1']],
    [['::ffff:127.0.0.1']],
    [['10.0.0.1']],
    [['169.254.169.254']],
    [[PUBLIC, '127.0.0.1']],
    [[PUBLIC_V6, PUBLIC, '::1']],
    [[PUBLIC, '::ffff:10.0.0.1']],
  ])('no connection is attempted for a name that resolves to %j', async (addresses) => {
    expect(await expand({ lookup: names(addresses) })).toEqual({ kind: 'unsupported' });
    expect(attempts()).toEqual([]);
    expect([hosts.connections(), visits]).toEqual([0, 0]);
  });

  it('each connection uses the address that was checked, even if the name resolves differently later', async () => {
    hosts.answer(LINK, { status: 302, location: '/b' });
    const lookup = names(['127.0.0.1'], ['::1']);
    const isAllowedAddress = (address: string) => address === '127.0.0.1';
    // Each connection resolves the name anew, so the second one is refused.
    expect(await expand({ lookup, isAllowedAddress })).toEqual({ kind: 'unsupported' });
    expect(lookup).toHaveBeenCalledTimes(2);
    expect(attempts()).toEqual(['127.0.0.1']);
    expect(hosts.lines()).toEqual([`HEAD ${LINK}`]);
    expect(visits).toBe(0);
  });

  it('no connection is reused', async () => {
    const lookup = names(['127.0.0.1']);
    const options = { lookup, isAllowedAddress: () => true };
    for (let n = 0; n < 3; n += 1) expect(await expand(options)).toEqual(FOUND);
    expect(lookup).toHaveBeenCalledTimes(3);
    expect(hosts.connections()).toBe(3);
  });
});

it('uses the address family that answers', async () => {
  // Discard-only addresses never answer; without IPv6 they fail at once.
  const lookup = names(['100::1', '127.0.0.1']);
  expect(await expand({ lookup, isAllowedAddress: () => true })).toEqual(FOUND);
  expect(attempts()).toEqual(['100::1', '127.0.0.1']);
});
