import type { Socket } from 'node:net';
import { ShortLinkClient, type ShortLinkOptions } from '../../src/locations/short-links/short-link.client.js';
import { eventually } from '../support/eventually.js';
import {
  ON_LOOPBACK,
  startMapHosts,
  UNREACHED_LIMITS,
  type HostReply,
  type MapHosts,
} from '../support/map-hosts.js';

const LINK = 'https://maps.app.goo.gl/FZEGYAYLDJTRtLrWz';
const PIN = 'https://www.google.com/maps?q=14.622073,-89.580067';
const REDIRECT: HostReply = { status: 302, location: PIN };
const SILENT = { kind: 'silent' };
const FOUND = { kind: 'coordinates', lat: 14.622073, lng: -89.580067, origin: 'query' };

let hosts: MapHosts;
beforeAll(async () => (hosts = await startMapHosts()));
afterEach(() => hosts.reset());
afterAll(() => hosts.close());

const clientOf = (options: ShortLinkOptions = {}) =>
  new ShortLinkClient({ ...ON_LOOPBACK, ...UNREACHED_LIMITS, server: hosts.server, ...options });

describe('the result of an expansion', () => {
  const MINUTE_MS = 60_000;
  const DAY_MS = 1_440 * MINUTE_MS;

  const clock = performance.now.bind(performance);
  let passed = 0;
  beforeEach(() => jest.spyOn(performance, 'now').mockImplementation(() => clock() + passed));
  afterEach(() => jest.restoreAllMocks());
  /** The cache reads the clock at most once in a millisecond. */
  const passTime = (ms: number) => {
    passed += ms;
    return new Promise((resolve) => setTimeout(resolve, 5));
  };

  it.each([
    ['a point', REDIRECT, 30 * DAY_MS],
    ['a place', { status: 200 }, 5 * MINUTE_MS],
    ['no such link', { status: 410 }, 5 * MINUTE_MS],
    ['elsewhere', { status: 302, location: 'https://evil.example/' }, 5 * MINUTE_MS],
  ])('is cached for its time to live: %s', async (_, reply: HostReply, ms) => {
    const client = clientOf();
    hosts.answer(LINK, reply);
    const first = await client.expand(LINK, 'm1');
    await passTime(ms - MINUTE_MS);
    expect(await client.expand(LINK, 'm2')).toEqual(first);
    expect(await client.expand(`${LINK.replace('https', 'http')}#x`, 'm2')).toEqual(first);
    expect(hosts.lines()).toHaveLength(1);
    await passTime(MINUTE_MS + 1);
    expect(await client.expand(LINK, 'm1')).toEqual(first);
    expect(hosts.lines()).toHaveLength(2);
  });

  it('is not cached if the map service gave no answer about the link', async () => {
    const client = clientOf();
    hosts.answer(LINK, { status: 503 }, REDIRECT);
    expect(await client.expand(LINK, 'm1')).toEqual(SILENT);
    expect(await client.expand(LINK, 'm1')).toEqual(FOUND);
  });

  it('is logged by host and result, never with the link', async () => {
    const info = jest.fn();
    const logger = { info } as never;
    const client = clientOf({ logger });
    const impatient = clientOf({ logger, totalMs: 50 });
    const links = ['found', 'gone', 'failing', 'hanging', 'strange'].map(
      (path) => `https://maps.apple/p/${path}`,
    );
    const replies = [
      REDIRECT,
      { status: 410 },
      { status: 503 },
      () => undefined,
      { status: 302, location: '//evil.example' },
    ];
    links.forEach((link, index) => hosts.answer(link, replies[index]!));
    for (const link of [...links, links[0]!])
      await (link.endsWith('hanging') ? impatient : client).expand(link, 'm1');
    const line = { host: 'maps.apple', ms: expect.any(Number) };
    expect(info.mock.calls).toEqual([
      [{ ...line, result: 'coordinates' }, 'short link'],
      [{ ...line, result: 'broken' }, 'short link'],
      [{ ...line, result: 'silent', why: 'HTTP_503' }, 'short link'],
      [{ ...line, result: 'silent', why: 'ETIMEDOUT' }, 'short link'],
      [{ ...line, result: 'unsupported' }, 'short link'],
    ]);
  });
});

describe('concurrent expansions', () => {
  /** Holds back the answers to all links; the function returned sends them. */
  function holdBack(links: string[]) {
    const waiting: Socket[] = [];
    for (const link of links) hosts.answer(link, (socket) => void waiting.push(socket));
    return (reply = `HTTP/1.1 302 X\r\nLocation: ${PIN}\r\n\r\n`) =>
      waiting.splice(0).forEach((socket) => socket.write(reply));
  }
  const linksOf = (count: number) => Array.from({ length: count }, (_, n) => `https://maps.app.goo.gl/n${n}`);
  const requests = (count: number) =>
    eventually(() => {
      expect(hosts.requests.length).toBeGreaterThanOrEqual(count);
      return hosts.requests.length;
    });

  it.each([
    ['found', REDIRECT, FOUND],
    ['silent', { status: 503 }, SILENT],
  ])('of one link share one request: %s', async (_, reply: HostReply, expected) => {
    hosts.answer(LINK, reply);
    const client = clientOf();
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, n) => client.expand(LINK, `m${n % 3}`)),
    );
    expect(results).toEqual(results.map(() => expected));
    expect(hosts.lines()).toHaveLength(1);
  });

  it('are limited to four of each merchant; the others wait', async () => {
    const links = linksOf(11);
    const release = holdBack(links);
    const client = clientOf();
    const results = links.map((link, index) => client.expand(link, index < 9 ? 'm1' : 'm2'));
    expect(await requests(6)).toBe(6);
    expect(hosts.lines().filter((line) => /n(9|10)$/.test(line))).toHaveLength(2);
    for (const count of [10, 11]) {
      release();
      expect(await requests(count)).toBe(count);
    }
    release();
    expect(await Promise.all(results)).toEqual(links.map(() => FOUND));
  });

  it('that wait longer than the limit of an expansion end without an answer', async () => {
    const links = linksOf(6);
    holdBack(links);
    const client = clientOf({ totalMs: 300 });
    const results = await Promise.all(links.map((link) => client.expand(link, 'm1')));
    expect(results).toEqual(links.map(() => SILENT));
    expect(hosts.lines().length).toBeLessThanOrEqual(4);
    hosts.answer(LINK, REDIRECT);
    // The slots are free again. `eventually`, because the limit is short.
    await eventually(async () => expect(await client.expand(LINK, 'm1')).toEqual(FOUND));
  });

  it('are limited over all merchants', async () => {
    const links = linksOf(5);
    const release = holdBack(links);
    const client = clientOf({ slots: { total: 3, perOwner: 1 } });
    const results = links.map((link) => client.expand(link, link));
    expect(await requests(3)).toBe(3);
    release();
    expect(await requests(5)).toBe(5);
    release();
    expect(await Promise.all(results)).toEqual(links.map(() => FOUND));
  });
});
