import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { ShortLinkClient, type ShortLinkOptions } from '../../src/locations/short-links/short-link.client.js';
import {
  ON_LOOPBACK,
  startMapHosts,
  UNREACHED_LIMITS,
  type HostReply,
  type MapHosts,
} from '../support/map-hosts.js';

const LINK = 'https://maps.app.goo.gl/FZEGYAYLDJTRtLrWz';
const PIN = 'https://www.google.com/maps?q=14.622073,-89.580067';
const FOUND = { kind: 'coordinates', lat: 14.622073, lng: -89.580067, origin: 'query' };
const NAME = 'https://www.google.com/maps/place/Farmacia+Galeno/data=!4m2!3m1!1s0x97b029f6be3ee4e1:0x648c';

let hosts: MapHosts;
beforeAll(async () => (hosts = await startMapHosts()));
afterEach(() => hosts.reset());
afterAll(() => hosts.close());

/** Expands by a new client, whose cache is empty. */
const expand = (link: string, options: ShortLinkOptions = {}) =>
  new ShortLinkClient({ ...ON_LOOPBACK, ...UNREACHED_LIMITS, server: hosts.server, ...options }).expand(
    link,
    'm1',
  );

const redirect = (location: string): HostReply => ({ status: 302, location });
const says = (text: string) => (socket: Socket) => void socket.write(text);

describe('a chain of redirects', () => {
  it('is followed to a link with a point, which is not requested', async () => {
    hosts.answer(LINK, redirect('https://maps.app.goo.gl/b'));
    hosts.answer('https://maps.app.goo.gl/b', redirect(PIN));
    expect(await expand(LINK)).toEqual(FOUND);
    expect(hosts.lines()).toEqual([`HEAD ${LINK}`, 'HEAD https://maps.app.goo.gl/b']);
  });

  it('ends at a place without coordinates', async () => {
    hosts.answer(LINK, redirect(NAME));
    expect(await expand(LINK)).toEqual({ kind: 'place' });
    expect(hosts.lines()).toHaveLength(1);
  });

  it.each([301, 308])('is followed with status %i', async (status) => {
    hosts.answer(LINK, { status, location: PIN });
    expect(await expand(LINK)).toEqual(FOUND);
  });

  it.each([
    ['/b?x=1#y', 'https://maps.app.goo.gl/b?x=1'],
    ['?q=2', `${LINK}?q=2`],
    ['http://maps.apple/p/X', 'https://maps.apple/p/X'],
  ])('is followed to %s, resolved against the requested URL', async (location, next) => {
    hosts.answer(LINK, redirect(location));
    hosts.answer(next, redirect(PIN));
    expect(await expand(LINK)).toEqual(FOUND);
    expect(hosts.lines()).toEqual([`HEAD ${LINK}`, `HEAD ${next}`]);
  });

  it('may have five requests, not six', async () => {
    for (let hop = 1; hop <= 5; hop += 1)
      hosts.answer(`https://maps.app.goo.gl/${hop}`, redirect(hop < 5 ? `/${hop + 1}` : PIN));
    hosts.answer(LINK, redirect('/1'));
    expect(await expand('https://maps.app.goo.gl/1')).toEqual(FOUND);
    expect(hosts.lines()).toHaveLength(5);
    expect(await expand(LINK)).toEqual({ kind: 'unsupported' });
    expect(hosts.lines()).toHaveLength(10);
  });

  it.each([
    [LINK, 1],
    ['/b', 2],
    [`${LINK.replace('https', 'http')}#again`, 1],
  ])('that leads back over %s is refused after %i requests', async (location, requests) => {
    hosts.answer(LINK, redirect(location));
    hosts.answer('https://maps.app.goo.gl/b', redirect(LINK));
    expect(await expand(LINK)).toEqual({ kind: 'unsupported' });
    expect(hosts.lines()).toHaveLength(requests);
  });

  it.each([
    ['another host', 'https://evil.example/maps?q=14.6,-90.5'],
    ['a host that begins alike', 'https://maps.app.goo.gl.evil.example/x'],
    ['userinfo', 'https://user:pw@maps.app.goo.gl/x'],
    ['a port', 'https://maps.app.goo.gl:8443/x'],
    ['a file', 'file:///etc/passwd'],
    [
      'a wrapped stranger',
      'https://consent.google.com/m?continue=https%3A%2F%2Fevil.example%2F%4014.6%2C-90.5',
    ],
    ['no place on earth', 'https://www.google.com/maps?q=91.5,200'],
    ['a link too long', `https://maps.app.goo.gl/${'x'.repeat(5_000)}`],
  ])('to %s is refused without a request', async (_, location) => {
    hosts.answer(LINK, redirect(location));
    expect(await expand(LINK)).toEqual({ kind: 'unsupported' });
    expect(hosts.lines()).toEqual([`HEAD ${LINK}`]);
    expect(hosts.connections()).toBe(1);
  });

  it('may have its location in UTF-8', async () => {
    const location = `https://www.google.com/maps/place/14°38'26.6"N+90°30'47.0"W`;
    hosts.answer(LINK, says(`HTTP/1.1 302 X\r\nLocation: ${location}\r\n\r\n`));
    expect(await expand(LINK)).toMatchObject({ kind: 'coordinates', lat: 14 + 38 / 60 + 26.6 / 3600 });
  });
});

describe('a request', () => {
  it('has no cookie, no credentials and no header that identifies us', async () => {
    hosts.answer(
      LINK,
      says(`HTTP/1.1 302 X\r\nSet-Cookie: a=b\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n`),
    );
    hosts.answer('https://maps.app.goo.gl/b', redirect(PIN));
    await expand(`${LINK}`);
    expect(hosts.requests).toHaveLength(2);
    for (const { headers } of hosts.requests)
      expect(headers).toEqual({
        Host: `maps.app.goo.gl:${hosts.server.port}`,
        'accept-language': 'en',
        'user-agent': expect.stringMatching(/^Mozilla\/5\.0 \(X11; /),
        Connection: 'close',
      });
  });

  it('is not sent for a link that is not short, or another text', async () => {
    expect(await expand(PIN)).toEqual(FOUND);
    expect(await expand(NAME)).toEqual({ kind: 'place' });
    for (const link of [
      'https://evil.example/x',
      'https://maps.app.goo.gl:8443/x',
      'https://www.google.com/sorry/index',
      'hola',
      '',
    ])
      expect(await expand(link)).toEqual({ kind: 'unsupported' });
    expect(hosts.connections()).toBe(0);
  });

  it('ignores the proxy variables of the environment', async () => {
    const proxy = createServer().listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const visits = jest.fn<void, [Socket]>((socket) => void socket.destroy());
    proxy.on('connection', visits);
    const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = { ...process.env };
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : address;
    try {
      hosts.answer(LINK, redirect(PIN));
      expect(await expand(LINK)).toEqual(FOUND);
      expect(visits).not.toHaveBeenCalled();
    } finally {
      for (const name of names) delete process.env[name];
      Object.assign(process.env, before);
      proxy.close();
    }
  });

  it.each([400, 403, 405, 501])('is HEAD, and then GET if HEAD gets %i', async (status) => {
    hosts.answer(LINK, { status }, redirect(PIN));
    expect(await expand(LINK)).toEqual(FOUND);
    expect(hosts.lines()).toEqual([`HEAD ${LINK}`, `GET ${LINK}`]);
  });
});

describe('a response', () => {
  it('404 counts only the second time', async () => {
    hosts.answer(LINK, { status: 404 }, redirect(PIN));
    expect(await expand(LINK)).toEqual(FOUND);
    hosts.answer(LINK, { status: 404 });
    expect(await expand(LINK)).toEqual({ kind: 'broken' });
    expect(hosts.lines()).toEqual([`HEAD ${LINK}`, `GET ${LINK}`, `HEAD ${LINK}`, `GET ${LINK}`]);
  });

  it('404 counts the first time if there is no time for a second request', async () => {
    hosts.answer(LINK, { status: 404 });
    expect(await expand(LINK, { secondLookMs: UNREACHED_LIMITS.totalMs })).toEqual({ kind: 'broken' });
    expect(hosts.lines()).toHaveLength(1);
  });

  it('410 counts the first time', async () => {
    hosts.answer(LINK, { status: 410, location: PIN });
    expect(await expand(LINK)).toEqual({ kind: 'broken' });
    expect(hosts.lines()).toHaveLength(1);
  });

  it.each([200, 204])('%i means a place, and the page is not read', async (status) => {
    hosts.answer(LINK, { status, location: PIN });
    expect(await expand(LINK)).toEqual({ kind: 'place' });
  });

  it.each([302, 401, 429, 500])('%i without a location is no answer about the link', async (status) => {
    hosts.answer(LINK, { status });
    expect(await expand(LINK)).toEqual({ kind: 'silent' });
    expect(hosts.lines()).toHaveLength(1);
  });

  it.each([400, 403])('%i to HEAD and GET is no answer about the link', async (status) => {
    hosts.answer(LINK, { status });
    expect(await expand(LINK)).toEqual({ kind: 'silent' });
    expect(hosts.lines()).toHaveLength(2);
  });

  it('that redirects to a captcha is no answer about the link', async () => {
    hosts.answer(LINK, redirect(`https://www.google.com/sorry/index?continue=${encodeURIComponent(LINK)}`));
    expect(await expand(LINK)).toEqual({ kind: 'silent' });
    expect(hosts.lines()).toHaveLength(1);
  });
});
