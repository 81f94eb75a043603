import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** An answer; 200 without a body unless specified. */
export interface StubAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Sent unchanged. */
  body?: string | Buffer;
  /** Sent as JSON, instead of `body`. */
  json?: unknown;
  /** Milliseconds before it answers. */
  delayMs?: number;
  /** It answers once this has resolved. */
  until?: Promise<unknown>;
  /**
   * `hang`: never answers; `reset`: resets the connection; `hang-mid-body` and `close-mid-body`: sends the head and
   * half of the body.
   */
  fault?: 'hang' | 'reset' | 'hang-mid-body' | 'close-mid-body';
}

/** A fixed answer, or one that depends on the request and may wait for a state. */
export type StubReply = StubAnswer | ((request: StubRequest) => StubAnswer | Promise<StubAnswer>);

export interface StubRequest {
  method: string;
  /** Including the query. */
  path: string;
  headers: IncomingHttpHeaders;
  rawBody: Buffer;
  /** The parsed body; undefined if it is not JSON. */
  json: any;
  at: Date;
}

/** A host outside the service whose answers the test decides. */
export interface HttpStub {
  /** Without a slash at the end. */
  url: string;
  /** Oldest first. */
  requests: StubRequest[];
  /** TCP connections so far, with or without a request. */
  connections(): number;
  /** Queues answers: each of the next requests gets one. */
  answer(...replies: StubReply[]): void;
  /** Sets the answer for requests without a queued one. */
  otherwise(reply: StubReply): void;
  /** Resolves to the first `count` requests, once they have arrived. */
  received(count: number): Promise<StubRequest[]>;
  /** Forgets requests, connections and queued answers. */
  reset(): void;
  close(): Promise<void>;
}

/**
 * Starts a stub on 127.0.0.1.
 * @param certificate for TLS.
 * @param port a free one unless given.
 */
export async function startHttpStub(
  certificate?: { key: string; cert: string },
  port = 0,
): Promise<HttpStub> {
  const queue: StubReply[] = [];
  const requests: StubRequest[] = [];
  const waiting = new Set<() => void>();
  let fallback: StubReply = {};
  let connections = 0;

  const listen: RequestListener = (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => undefined);
    incoming.on('end', () => {
      const rawBody = Buffer.concat(chunks);
      const { method = '', url: path = '', headers } = incoming;
      const request = { method, path, headers, rawBody, json: parseJson(rawBody), at: new Date() };
      requests.push(request);
      for (const check of waiting) check();
      const reply = queue.shift() ?? fallback;
      const answer = typeof reply === 'function' ? reply(request) : reply;
      Promise.resolve(answer).then(
        (given) => give(response, given),
        // Whoever sent the request fails then, and says so.
        () => response.destroy(),
      );
    });
  };
  const server = certificate ? createTlsServer(certificate, listen) : createServer(listen);
  server.on('connection', () => (connections += 1));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    answer: (...replies) => void queue.push(...replies),
    otherwise: (reply) => void (fallback = reply),
    received: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (requests.length < count) return;
          waiting.delete(check);
          resolve(requests.slice(0, count));
        };
        waiting.add(check);
        check();
      }),
    reset: () => {
      queue.length = 0;
      requests.length = 0;
      connections = 0;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function give(response: ServerResponse, answer: StubAnswer): void {
  const { delayMs, fault, until } = answer;
  if (fault === 'hang') return;
  if (until) {
    void until.then(() => give(response, { ...answer, until: undefined }));
    return;
  }
  if (delayMs) {
    setTimeout(() => give(response, { ...answer, delayMs: 0 }), delayMs);
    return;
  }
  if (fault === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const body = Buffer.from(answer.json === undefined ? (answer.body ?? '') : JSON.stringify(answer.json));
  const type = answer.json === undefined ? {} : { 'content-type': 'application/json' };
  response.writeHead(answer.status ?? 200, { ...type, 'content-length': body.length, ...answer.headers });
  if (fault === undefined) {
    response.end(body);
    return;
  }
  response.write(body.subarray(0, body.length / 2), () => {
    if (fault === 'close-mid-body') response.socket?.destroy();
  });
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
