import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { Resolve } from '../../src/platform/outbound/checked-lookup.js';
import { TEST_CERTIFICATE } from './test-certificate.js';

/** A redirect or a status, or a function that handles the connection after the request. */
export type HostReply = { status: number; location?: string } | ((socket: Socket) => void);

interface HostRequest {
  /** Like `HEAD https://maps.app.goo.gl/x`. */
  line: string;
  /** With names as sent. */
  headers: Record<string, string>;
  /** Resolves when the connection is closed, by either side. */
  closed: Promise<unknown>;
}

/** Stand-ins for the map services' servers on loopback, with TLS and any bytes as answers. */
export interface MapHosts {
  /** For the client's options. The certificate is for maps.app.goo.gl and maps.apple alone. */
  server: { port: number; ca: string };
  requests: HostRequest[];
  /** Lines of the requests so far. */
  lines(): string[];
  /** TCP connections so far, with or without a request. */
  connections(): number;
  /** Sets the answers to a link, in order; the last one repeats. Other links get 404. */
  answer(link: string, ...replies: HostReply[]): void;
  reset(): void;
  close(): Promise<void>;
}

/** For the client's options: resolves every name to this machine. */
export const ON_LOOPBACK = {
  lookup: ((_hostname, _options, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }])) as Resolve,
  isAllowedAddress: () => true,
};

/**
 * For the client's options: limits that no machine is slow enough to reach, and no pause before a second
 * request.
 */
export const UNREACHED_LIMITS = { totalMs: 110_000, secondLookMs: 1 };

export async function startMapHosts(address = '127.0.0.1'): Promise<MapHosts> {
  const replies = new Map<string, HostReply[]>();
  const requests: HostRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;

  const listener = createServer(TEST_CERTIFICATE, (socket) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const closed = new Promise((resolve) => socket.once('close', resolve));
      const request = readHead(text.slice(0, end), closed);
      text = text.slice(end + 4);
      requests.push(request);
      const link = request.line.split(' ')[1]!;
      const queue = replies.get(link) ?? [{ status: 404 }];
      give(socket, queue.length > 1 ? queue.shift()! : queue[0]!);
    });
  });
  listener.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  listener.on('tlsClientError', () => undefined);
  listener.listen(0, address);
  await once(listener, 'listening');

  return {
    server: { port: (listener.address() as AddressInfo).port, ca: TEST_CERTIFICATE.cert },
    requests,
    lines: () => requests.map(({ line }) => line),
    connections: () => connections,
    answer: (link, ...given) => void replies.set(link, given),
    reset: () => {
      replies.clear();
      requests.length = 0;
      connections = 0;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

function readHead(text: string, closed: Promise<unknown>): HostRequest {
  const [first = '', ...lines] = text.split('\r\n');
  const [method, path] = first.split(' ');
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  return { line: `${method} https://${headers.Host?.replace(/:\d+$/, '')}${path}`, headers, closed };
}

function give(socket: Socket, reply: HostReply): void {
  if (typeof reply === 'function') return reply(socket);
  const location = reply.location === undefined ? '' : `Location: ${reply.location}\r\n`;
  socket.write(`HTTP/1.1 ${reply.status} X\r\n${location}Content-Length: 0\r\n\r\n`);
}
