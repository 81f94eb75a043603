import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { ShortLinkClient, type ShortLinkOptions } from '../../src/locations/short-links/short-link.client.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import {
  ON_LOOPBACK,
  startMapHosts,
  UNREACHED_LIMITS,
  type HostReply,
  type MapHosts,
} from '../support/map-hosts.js';

const LINK = 'https://maps.app.goo.gl/FZEGYAYLDJTRtLrWz';
const OTHER = 'https://maps.app.goo.gl/b';
const PIN = 'https://www.google.com/maps?q=14.622073,-89.580067';
const SILENT = { kind: 'silent' };
const FOUND = { kind: 'coordinates', lat: 14.622073, lng: -89.580067, origin: 'query' };

let hosts: MapHosts;
beforeAll(async () => (hosts = await startMapHosts()));
afterEach(() => hosts.reset());
afterAll(() => hosts.close());

/** Expands by a new client, whose cache is empty. A test sets only the limit that it is about. */
const expand = (link: string, options: ShortLinkOptions = {}) =>
  new ShortLinkClient({ ...ON_LOOPBACK, ...UNREACHED_LIMITS, server: hosts.server, ...options }).expand(
    link,
    'm1',
  );

/** Replaces the clock of request timeouts: they end when the function returned is called. */
function holdTimeouts(): () => void {
  const timeouts: AbortController[] = [];
  jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const timeout = new AbortController();
    timeouts.push(timeout);
    return timeout.signal;
  });
  return () => timeouts.forEach((timeout) => timeout.abort());
}
afterEach(() => jest.restoreAllMocks());

const says = (text: string) => (socket: Socket) => void socket.write(text);
const silence = () => undefined;

/** Writes as fast as the client reads, until the client disconnects. */
function endless(start: string, more: string): HostReply {
  return (socket) => {
    const write = () => {
      while (!socket.destroyed && socket.write(more));
    };
    socket.on('drain', write);
    socket.write(start);
    write();
  };
}

/** A little again and again: never silent, never done. */
function drip(start: string, more: string): HostReply {
  return (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(more), 10);
    socket.on('close', () => clearInterval(timer));
  };
}

describe('an expansion ends without an answer if the map service', () => {
  const cases: [string, HostReply][] = [
    ['never answers', silence],
    ['sends one header after another', drip('HTTP/1.1 302 X\r\n', 'X-More: 1\r\n')],
    ['sends one early hint after another', drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['sends endless early hints', endless('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000))],
    ['sends one endless header', endless('HTTP/1.1 302 X\r\nLocation: https://', 'x'.repeat(60_000))],
    ['does not speak HTTP', says('SSH-2.0-OpenSSH_9.2\r\n')],
    ['switches protocols', says('HTTP/1.1 101 X\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n')],
    ['hangs up', (socket) => void socket.destroy()],
    ['hangs up within the headers', (socket) => void socket.end('HTTP/1.1 302 X\r\nLocation: ')],
  ];

  it.each(cases)('%s', async (_, reply) => {
    hosts.answer(LINK, reply);
    const endTimeouts = holdTimeouts();
    const result = expand(LINK);
    await eventually(() => expect(hosts.lines()).toEqual([`HEAD ${LINK}`]));
    endTimeouts();
    expect(await result).toEqual(SILENT);
    expect(hosts.lines()).toEqual([`HEAD ${LINK}`]);
    await hosts.requests[0]!.closed;
  });

  it('is not listening', async () => {
    const server = { ...hosts.server, port: await freePort() };
    expect(await expand(LINK, { server })).toEqual(SILENT);
  });

  it('has a name without an address', async () => {
    const failure = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    expect(await expand(LINK, { lookup: (_name, _options, callback) => callback(failure, []) })).toEqual(
      SILENT,
    );
  });

  it('has a name that is not resolved in time', async () => {
    expect(await expand(LINK, { lookup: silence, totalMs: 100 })).toEqual(SILENT);
  });

  it.each([
    ['sends nothing', silence],
    ['does not speak TLS', (socket: Socket) => void socket.write('HTTP/1.1 302 X\r\nLocation: /\r\n\r\n')],
    ['resets it', (socket: Socket) => void socket.resetAndDestroy()],
  ])('accepts the connection and %s', async (_, onConnection) => {
    const listener = createServer((socket) => {
      socket.on('error', silence).resume();
      onConnection(socket);
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const server = { ...hosts.server, port: (listener.address() as AddressInfo).port };
    expect(await expand(LINK, { server, totalMs: 200 })).toEqual(SILENT);
    listener.close();
  });

  it('has a certificate that is not trusted, or of another host', async () => {
    const nobody = { port: hosts.server.port, ca: '' };
    expect(await expand(LINK, { server: nobody })).toEqual(SILENT);
    expect(await expand('https://goo.gl/maps/x')).toEqual(SILENT);
    expect(hosts.connections()).toBe(2);
    expect(hosts.requests).toEqual([]);
  });

  it('is waited for until the limit of the expansion, however long one request takes', async () => {
    hosts.answer(LINK, (socket) => {
      setTimeout(() => socket.write(`HTTP/1.1 302 X\r\nLocation: ${PIN}\r\n\r\n`), 3_000);
    });
    expect(await expand(LINK)).toEqual(FOUND);
  });

  it('takes longer than the limit of the expansion in all its redirects', async () => {
    for (let hop = 1; hop <= 5; hop += 1)
      hosts.answer(`https://maps.app.goo.gl/${hop}`, (socket) => {
        setTimeout(() => socket.write(`HTTP/1.1 302 X\r\nLocation: /${hop + 1}\r\n\r\n`), 200);
      });
    expect(await expand('https://maps.app.goo.gl/1', { totalMs: 500 })).toEqual(SILENT);
    expect(hosts.lines().length).toBeLessThan(5);
  });

  it('never answers the second request for a link', async () => {
    hosts.answer(OTHER, { status: 405 }, silence);
    const endTimeouts = holdTimeouts();
    const result = expand(OTHER);
    const lines = () => hosts.lines().filter((line) => line.endsWith(OTHER));
    await eventually(() => expect(lines()).toEqual([`HEAD ${OTHER}`, `GET ${OTHER}`]));
    endTimeouts();
    expect(await result).toEqual(SILENT);
  });
});

describe('a response body', () => {
  const GET_ONLY: HostReply = { status: 405 };
  const MEGABYTE = 1024 * 1024;

  it.each([
    ['that never ends', 'Transfer-Encoding: chunked\r\n\r\n', `400\r\n${'x'.repeat(1_024)}\r\n`],
    ['of 10 GB', 'Content-Length: 10737418240\r\n\r\n', 'x'.repeat(64 * 1024)],
    ['of compressed data', 'Content-Encoding: gzip\r\n\r\n', '\x1f\x8b\x08'.repeat(9_999)],
  ])('%s is not read, because the connection ends after the headers', async (_, start, more) => {
    let connection: Socket;
    const reply = endless(`HTTP/1.1 302 X\r\nLocation: ${PIN}\r\n${start}`, more) as (socket: Socket) => void;
    hosts.answer(LINK, GET_ONLY, (socket) => reply((connection = socket)));
    expect(await expand(LINK)).toEqual(FOUND);
    await hosts.requests[1]!.closed;
    // The socket buffers take in some data until the connection is closed.
    expect(connection!.bytesWritten).toBeLessThan(16 * MEGABYTE);
  });

  it.each([
    ['never comes', says(`HTTP/1.1 302 X\r\nLocation: ${PIN}\r\nContent-Length: 9\r\n\r\n`)],
    ['drips', drip(`HTTP/1.1 302 X\r\nLocation: ${PIN}\r\n\r\n`, 'x')],
    [
      'breaks',
      (socket: Socket) => void socket.end(`HTTP/1.1 302 X\r\nLocation: ${PIN}\r\nContent-Length: 9\r\n\r\nx`),
    ],
    ['is garbage', says(`HTTP/1.1 302 X\r\nLocation: ${PIN}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`)],
  ])('that %s does not delay the result of HEAD or GET', async (_, reply) => {
    hosts.answer(LINK, reply);
    hosts.answer(OTHER, GET_ONLY, reply);
    expect(await expand(LINK)).toEqual(FOUND);
    expect(await expand(OTHER)).toEqual(FOUND);
    for (const { closed } of hosts.requests.filter(({ line }) => line !== `HEAD ${OTHER}`)) await closed;
  });
});
