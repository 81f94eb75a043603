import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { startHttpStub, type HttpStub } from '../../../test/support/http-stub.js';
import { withTcpServer } from '../../../test/support/tcp-server.js';
import { checkedLookup } from './checked-lookup.js';
import { post, PostError, UnsendableError, type PostOptions } from './post.js';

/** ms; longer than a test may take, so that a request ends for another reason. */
const NEVER_MS = 600_000;

let stub: HttpStub;
beforeAll(async () => (stub = await startHttpStub()));
afterEach(() => {
  stub.reset();
  jest.restoreAllMocks();
});
afterAll(() => stub.close());

const send = (url: string, options: Partial<PostOptions> = {}) =>
  post(url, '{}', { headers: {}, timeoutMs: NEVER_MS, maxAnswer: 1_000, ...options });

/** Replaces the timeout of the requests to come. @returns what lets it expire. */
const holdTimeout = () => {
  const timeout = new AbortController();
  jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  return () => timeout.abort();
};

/** The error of a request. */
const failure = (sent: Promise<unknown>): Promise<unknown> =>
  sent.then(
    () => {
      throw new Error('there was a response');
    },
    (error: unknown) => error,
  );

describe('a response', () => {
  it('has its status, its headers and the start of its body', async () => {
    stub.answer({ status: 418, headers: { 'retry-after': '7', location: '/otra' }, body: 'té' });
    const { status, headers, start } = await send(stub.url);
    expect([status, headers['retry-after'], start.toString()]).toEqual([418, '7', 'té']);
  });

  it.each([301, 302, 303, 307, 308])('redirect %i is not followed', async (status) => {
    stub.answer({ status, headers: { location: `${stub.url}/otra` } });
    expect((await send(stub.url)).status).toBe(status);
    expect(stub.requests).toHaveLength(1);
  });

  it('is not decompressed', async () => {
    const packed = gzipSync(Buffer.alloc(100_000));
    stub.answer({ headers: { 'content-encoding': 'gzip' }, body: packed });
    expect((await send(stub.url)).start).toEqual(packed);
  });

  it('longer than `maxAnswer` is truncated and its connection closed', async () => {
    const closed: Promise<unknown>[] = [];
    await withTcpServer(
      (socket) => {
        closed.push(new Promise((resolve) => socket.once('close', resolve)));
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const endless = setInterval(() => socket.write('x'.repeat(400)), 5);
        socket.once('close', () => clearInterval(endless));
      },
      async (port) => {
        const { start } = await send(`http://127.0.0.1:${port}/`);
        expect(start.toString()).toBe('x'.repeat(1_000));
        await closed[0];
      },
    );
  });
});

describe('an incomplete body', () => {
  it.each(['hang-mid-body', 'close-mid-body'] as const)('is an error: %s', async (fault) => {
    const expire = holdTimeout();
    stub.answer({ fault, body: '12345678' });
    const error = failure(send(stub.url));
    await stub.received(1);
    if (fault === 'hang-mid-body') expire();
    expect(await error).toBeInstanceOf(PostError);
    expect(await error).toMatchObject({ hasLeft: true });
  });

  it.each(['hang-mid-body', 'close-mid-body'] as const)('is truncated with `bodyMs`: %s', async (fault) => {
    stub.answer({ fault, status: 201, body: '12345678' });
    const { status, start } = await send(stub.url, { bodyMs: 150 });
    expect([status, start.toString()]).toEqual([201, '1234']);
  });

  it('is truncated with `bodyMs` at the timeout of the request too', async () => {
    const expire = holdTimeout();
    stub.answer({ fault: 'hang-mid-body', body: '12345678' });
    const onHead = (message: unknown) => {
      const { response } = message as { response: IncomingMessage };
      response.once('readable', () => setImmediate(expire));
    };
    subscribe('http.client.response.finish', onHead);
    try {
      const { start } = await send(stub.url, { bodyMs: NEVER_MS });
      expect(start.toString()).toBe('1234');
    } finally {
      unsubscribe('http.client.response.finish', onHead);
    }
  });
});

describe('without a response', () => {
  it('hasLeft is false for a rejected host name', async () => {
    const url = stub.url.replace('127.0.0.1', 'localhost');
    const error = await failure(send(url, { lookup: checkedLookup() }));
    expect(error).toMatchObject({ code: 'EADDRREFUSED', hasLeft: false });
    expect(stub.requests).toEqual([]);
  });

  it('hasLeft is false if the lookup times out', async () => {
    const error = await failure(send('http://guias.example/', { lookup: () => undefined, timeoutMs: 50 }));
    expect(error).toMatchObject({ code: 'ETIMEDOUT', hasLeft: false });
  });

  it.each([
    ['hang', 'ETIMEDOUT'],
    ['reset', 'ECONNRESET'],
  ] as const)('hasLeft is true on a new connection: %s', async (fault, code) => {
    const expire = holdTimeout();
    stub.answer({ fault });
    const error = failure(send(stub.url));
    await stub.received(1);
    if (fault === 'hang') expire();
    expect(await error).toMatchObject({ code, hasLeft: true });
  });

  it('hasLeft is true on a reused connection', async () => {
    const agent = new Agent({ keepAlive: true });
    await send(stub.url, { agent });
    stub.answer({ fault: 'reset' });
    expect(await failure(send(stub.url, { agent }))).toMatchObject({ code: 'ECONNRESET', hasLeft: true });
    agent.destroy();
  });

  it.each([
    ['a switch of protocols', 'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'ECONNRESET'],
    [
      'a head that is too large',
      `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      'HPE_HEADER_OVERFLOW',
    ],
    ['only early hints', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'ETIMEDOUT'],
    ['data that is not HTTP', 'SSH-2.0-otra\r\n', 'HPE_INVALID_CONSTANT'],
  ])('it fails at %s', async (_what, answer, code) => {
    const expire = holdTimeout();
    await withTcpServer(
      (socket) =>
        socket.once('data', () =>
          socket.write(answer, () => {
            if (code === 'ETIMEDOUT') expire();
          }),
        ),
      async (port) => {
        const error = await failure(send(`http://127.0.0.1:${port}/`));
        expect(error).toMatchObject({ code, hasLeft: true });
      },
    );
  });
});

it.each([
  ['a header with an invalid character', 'http://127.0.0.1/', { 'x-algo': '“' }, 'ERR_INVALID_CHAR'],
  ['a text that is not a URL', 'guias', {}, 'ERR_INVALID_URL'],
  ['another protocol', 'ftp://127.0.0.1/', {}, 'ERR_INVALID_PROTOCOL'],
])('a request that cannot be made fails with UnsendableError: %s', async (_what, url, headers, code) => {
  const error = await failure(send(url, { headers }));
  expect(error).toBeInstanceOf(UnsendableError);
  expect(error).toMatchObject({ code, hasLeft: false });
});
