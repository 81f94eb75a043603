import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMapLinkIn } from '../../src/locations/map-link.js';
import { ShortLinkClient } from '../../src/locations/short-links/short-link.client.js';
import { startHttpStub, type HttpStub } from '../support/http-stub.js';
import { UNREACHED_LIMITS } from '../support/map-hosts.js';

interface Case {
  id: string;
  input: string;
  expect: { lat: number; lng: number } | 'error' | null;
  tolerance_m: number | null;
  note?: string;
  /** The answer of each URL of the chain; no other URL may be requested. */
  hops?: { url: string; status: number; location: string | null }[];
  /** The addresses of each name. */
  dns?: Record<string, string[]>;
}

const CASES = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'data', 'map-links.json'), 'utf8'),
) as Case[];
const byText = (one: Case) => `${one.id} ${one.note ?? one.input}`.slice(0, 100);
const withHops = CASES.filter(({ hops, dns }) => hops && !dns).map((one) => [byText(one), one] as const);
const withDns = CASES.filter(({ dns }) => dns).map((one) => [byText(one), one] as const);

const PIN = 'https://www.google.com/maps?q=14.622073,-89.580067';
const FOUND = { kind: 'coordinates', lat: 14.622073, lng: -89.580067, origin: 'query' };

let resolver: HttpStub;
beforeAll(async () => (resolver = await startHttpStub()));
afterEach(() => resolver.reset());
afterAll(() => resolver.close());

const clientOf = (resolverUrl = resolver.url) => new ShortLinkClient({ ...UNREACHED_LIMITS, resolverUrl });
const asked = () => resolver.requests.map(({ path }) => `https:/${path}`);
const redirect = (location: string) => ({ status: 302, headers: { location } });

describe('the known cases', () => {
  it('are 266, 24 of them with answers', () => {
    expect([CASES.length, withHops.length, withDns.length]).toEqual([266, 22, 2]);
  });

  it.each(withHops)(
    'are expanded as expected: %s',
    async (_, { input, expect: expected, tolerance_m: tolerance, hops = [] }) => {
      resolver.otherwise(({ path }) => {
        const { status, location } = hops.find(({ url }) => url === `https:/${path}`) ?? { status: 500 };
        return { status, ...(location && { headers: { location } }) };
      });
      const link = readMapLinkIn(input);
      const found = await clientOf().expand(link.kind === 'short' ? link.url : input, 'm1');
      const listed = hops.map(({ url }) => url);
      expect(asked().filter((url) => !listed.includes(url))).toEqual([]);
      if (expected === null) expect(found.kind).toBe('place');
      else if (expected === 'error') expect(['unsupported', 'broken']).toContain(found.kind);
      else {
        expect(found.kind).toBe('coordinates');
        expect(metersBetween(expected, found as { lat: number; lng: number })).toBeLessThanOrEqual(
          tolerance!,
        );
      }
    },
  );

  it.each(withDns)('are refused if a name resolves to a private address: %s', async (_, { input, dns }) => {
    const client = new ShortLinkClient({
      lookup: (hostname, _options, callback) =>
        callback(
          null,
          dns![hostname]!.map((address) => ({ address, family: 4 })),
        ),
    });
    expect(await client.expand(input, 'm1')).toEqual({ kind: 'unsupported' });
  });

  it('cause no request if the link is not a short link', async () => {
    const client = clientOf();
    for (const { input } of CASES.filter(({ hops }) => !hops)) await client.expand(input, 'm1');
    expect(asked()).toEqual([]);
  });
});

describe('resolverUrl', () => {
  it.each([
    ['https://maps.app.goo.gl/x?g_st=iw#y', '/maps.app.goo.gl/x?g_st=iw'],
    ['http://maps.apple/p/X', '/maps.apple/p/X'],
    ['https://goo.gl/maps/a/../b?c=%2F&d=+', '/goo.gl/maps/b?c=%2F&d=+'],
  ])('gets the request for %s as %s', async (link, path) => {
    resolver.otherwise(redirect(PIN));
    expect(await clientOf(`${resolver.url}/base`).expand(link, 'm1')).toEqual(FOUND);
    expect(resolver.requests).toMatchObject([{ method: 'HEAD', path: `/base${path}` }]);
  });

  it('may answer with redirects and statuses like the map service', async () => {
    resolver.answer(redirect('/b'), { status: 405 }, redirect('//maps.apple/p/X'), redirect(PIN));
    expect(await clientOf().expand('https://maps.app.goo.gl/a', 'm1')).toEqual(FOUND);
    expect(resolver.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'HEAD /maps.app.goo.gl/a',
      'HEAD /maps.app.goo.gl/b',
      'GET /maps.app.goo.gl/b',
      'HEAD /maps.apple/p/X',
    ]);
  });

  it('is not a host that a redirect may lead to', async () => {
    resolver.answer(redirect(`${resolver.url}/maps.app.goo.gl/b`));
    expect(await clientOf().expand('https://maps.app.goo.gl/a', 'm1')).toEqual({ kind: 'unsupported' });
    expect(resolver.requests).toHaveLength(1);
  });

  it('that is unreachable counts as a map service without an answer', async () => {
    const gone = await startHttpStub();
    await gone.close();
    expect(await clientOf(gone.url).expand('https://maps.app.goo.gl/a', 'm1')).toEqual({ kind: 'silent' });
  });
});

function metersBetween(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  const meters = 111_195;
  const width = Math.cos((a.lat * Math.PI) / 180);
  return Math.hypot(a.lat - b.lat, (a.lng - b.lng) * width) * meters;
}
