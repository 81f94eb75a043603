import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { ShortLinkClient, type ShortLinkOptions } from '../../src/locations/short-links/short-link.client.js';
import { freePort } from '../support/free-port.js';
import { ON_LOOPBACK, startMapHosts, type HostReply, type MapHosts } from '../support/map-hosts.js';
import '../support/node-errors.js';

const LINK = 'https://maps.app.goo.gl/FZEGYAYLDJTRtLrWz';
const OTHER = 'https://maps.app.goo.gl/b';
const PIN = 'https://www.google.com/maps?q=14.622073,-89.580067';
const SILENT = { kind: 'silent' };
const FOUND = { kind: 'coordinates', lat: 14.622073, lng: -89.580067, origin: 'query' };

let hosts: MapHosts;
beforeAll(async () => (hosts = await startMapHosts()));
afterEach(() => hosts.reset());
afterAll(() => hosts.close());

/** A client of its own, so that nothing is remembered from elsewhere. */
function clientOf(options: ShortLinkOptions = {}): ShortLinkClient {
  return new ShortLinkClient({
    ...ON_LOOPBACK,
    server: hosts.server,
    secondLookMs: 1,
    hopMs: 60_000,
    totalMs: 60_000,
    ...options,
  });
}

/** Each test sets the limit that it is about; no other comes to its help. */
const expand = (link: string, options?: ShortLinkOptions) => clientOf(options).expand(link, 'm1');

const says = (text: string) => (socket: Socket) => void socket.write(text);
const silence = () => undefined;

/** Writes as fast as the client reads, until it goes. */
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

describe('a map service that misbehaves is silent: one that', () => {
  const cases: [string, HostReply][] = [
    ['accepts and says nothing', silence],
    ['says a little again and again', drip('HTTP/1.1 302 X\r\n', 'X-More: 1\r\n')],
    ['never stops to announce', drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['announces as fast as it can', endless('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000))],
    ['has headers without an end', endless('HTTP/1.1 302 X\r\n', `X-More: ${'x'.repeat(1_000)}\r\n`)],
    ['has one header without an end', endless('HTTP/1.1 302 X\r\nLocation: https://', 'x'.repeat(60_000))],
    ['speaks no HTTP', says('SSH-2.0-OpenSSH_9.2\r\n')],
    ['answers in bytes', (socket) => void socket.write(Buffer.alloc(2_000, 0xff))],
    ['answers without a status', says('HTTP/1.1\r\nLocation: x\r\n\r\n')],
    ['answers a negative length', says('HTTP/1.1 302 X\r\nContent-Length: -1\r\n\r\n')],
    ['changes the protocol', says('HTTP/1.1 101 X\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n')],
    ['hangs up', (socket) => void socket.destroy()],
    ['hangs up within the headers', (socket) => void socket.end('HTTP/1.1 302 X\r\nLocation: ')],
  ];

  it.each(cases)('%s', async (_, reply) => {
    hosts.answer(LINK, reply);
    expect(await expand(LINK, { hopMs: 300 })).toEqual(SILENT);
    expect(hosts.lines()).toEqual([`HEAD ${LINK}`]);
    await hosts.requests[0]!.closed;
  });

  it('is not there', async () => {
    const server = { ...hosts.server, port: await freePort() };
    expect(await expand(LINK, { server })).toEqual(SILENT);
  });

  it('has no address', async () => {
    const failure = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    expect(await expand(LINK, { lookup: (_name, _options, callback) => callback(failure, []) })).toEqual(
      SILENT,
    );
  });

  it('gets no address in time', async () => {
    expect(await expand(LINK, { lookup: silence, hopMs: 100 })).toEqual(SILENT);
  });

  it.each([
    ['says nothing', silence],
    ['speaks no TLS', (socket: Socket) => void socket.write('HTTP/1.1 302 X\r\nLocation: /\r\n\r\n')],
    ['resets it', (socket: Socket) => void socket.resetAndDestroy()],
  ])('takes the connection and %s', async (_, onConnection) => {
    const listener = createServer((socket) => {
      socket.on('error', silence).resume();
      onConnection(socket);
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const server = { ...hosts.server, port: (listener.address() as AddressInfo).port };
    expect(await expand(LINK, { server, hopMs: 200 })).toEqual(SILENT);
    listener.close();
  });

  it('shows a certificate that nobody trusts, or of another host', async () => {
    const nobody = { port: hosts.server.port, ca: '' };
    expect(await expand(LINK, { server: nobody })).toEqual(SILENT);
    expect(await expand('https://goo.gl/maps/x')).toEqual(SILENT);
    expect(hosts.connections()).toBe(2);
    expect(hosts.requests).toEqual([]);
  });

  it('takes its time at every hop', async () => {
    for (let hop = 1; hop <= 5; hop += 1)
      hosts.answer(`https://maps.app.goo.gl/${hop}`, (socket) => {
        setTimeout(() => socket.write(`HTTP/1.1 302 X\r\nLocation: /${hop + 1}\r\n\r\n`), 200);
      });
    expect(await expand('https://maps.app.goo.gl/1', { totalMs: 500 })).toEqual(SILENT);
    expect(hosts.lines().length).toBeLessThan(5);
  });

  it('takes its time to a second question', async () => {
    hosts.answer(LINK, { status: 405 }, silence);
    expect(await expand(LINK, { hopMs: 200 })).toEqual(SILENT);
    expect(hosts.lines()).toEqual([`HEAD ${LINK}`, `GET ${LINK}`]);
  });
});

describe('a body', () => {
  const GET_ONLY: HostReply = { status: 405 };
  const MEGABYTE = 1024 * 1024;

  it.each([
    ['that never ends', 'Transfer-Encoding: chunked\r\n\r\n', `400\r\n${'x'.repeat(1_024)}\r\n`],
    ['of 10 GB', 'Content-Length: 10737418240\r\n\r\n', 'x'.repeat(64 * 1024)],
    ['packed to the utmost', 'Content-Encoding: gzip\r\n\r\n', '\x1f\x8b\x08'.repeat(9_999)],
  ])('%s is not read: the connection ends with the headers', async (_, start, more) => {
    let connection: Socket;
    const reply = endless(`HTTP/1.1 302 X\r\nLocation: ${PIN}\r\n${start}`, more) as (socket: Socket) => void;
    hosts.answer(LINK, GET_ONLY, (socket) => reply((connection = socket)));
    expect(await expand(LINK)).toEqual(FOUND);
    await hosts.requests[1]!.closed;
    // What the systems' buffers take in until the connection is closed.
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
  ])('that %s is not waited for, on HEAD or GET', async (_, reply) => {
    hosts.answer(LINK, reply);
    hosts.answer(OTHER, GET_ONLY, reply);
    expect(await expand(LINK)).toEqual(FOUND);
    expect(await expand(OTHER)).toEqual(FOUND);
    for (const { closed } of hosts.requests.filter(({ line }) => line !== `HEAD ${OTHER}`)) await closed;
  });
});
