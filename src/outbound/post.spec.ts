import { Agent } from 'node:http';
import { gzipSync } from 'node:zlib';
import { startHttpStub, type HttpStub } from '../../test/support/http-stub.js';
import { withTcpServer } from '../../test/support/tcp-server.js';
import { checkedLookup } from './checked-lookup.js';
import { post, PostError, UnsendableError, type PostOptions } from './post.js';

const SHORT_MS = 150;
/** Milliseconds that a test waits for what must not wait for the whole of `timeoutMs`. */
const LIMIT_MS = 3_000;

let stub: HttpStub;
beforeAll(async () => (stub = await startHttpStub()));
afterEach(() => stub.reset());
afterAll(() => stub.close());

const send = (url: string, options: Partial<PostOptions> = {}) =>
  post(url, '{}', { headers: {}, timeoutMs: 10_000, maxAnswer: 1_000, ...options });

/** What it failed with: `any`, because the tests are what says what an error bears. */
const failure = (sent: Promise<unknown>): Promise<any> =>
  sent.then(
    () => {
      throw new Error('there was an answer');
    },
    (error: unknown) => error,
  );

describe('an answer', () => {
  it('comes with its status, its headers and the start of its body', async () => {
    stub.answer({ status: 418, headers: { 'retry-after': '7', location: '/otra' }, body: 'té' });
    const { status, headers, start } = await send(stub.url);
    expect([status, headers['retry-after'], start.toString()]).toEqual([418, '7', 'té']);
  });

  it.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    stub.answer({ status, headers: { location: `${stub.url}/otra` } });
    expect((await send(stub.url)).status).toBe(status);
    expect(stub.requests).toHaveLength(1);
  });

  it('is never unpacked', async () => {
    const packed = gzipSync(Buffer.alloc(100_000));
    stub.answer({ headers: { 'content-encoding': 'gzip' }, body: packed });
    expect((await send(stub.url)).start).toEqual(packed);
  });

  it('is cut, and its connection closed, where it has more than is read', async () => {
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

describe('a body that is not whole', () => {
  it.each(['hang-mid-body', 'close-mid-body'] as const)('is a failure: %s', async (fault) => {
    stub.answer({ fault, body: '12345678' });
    const error = await failure(send(stub.url, { timeoutMs: SHORT_MS }));
    expect(error).toBeInstanceOf(PostError);
    expect(error).toMatchObject({ hasLeft: true });
  });

  it.each(['hang-mid-body', 'close-mid-body'] as const)(
    'is cut where the head is enough: %s',
    async (fault) => {
      stub.answer({ fault, status: 201, body: '12345678' });
      const startedAt = performance.now();
      const { status, start } = await send(stub.url, { bodyMs: SHORT_MS });
      expect([status, start.toString()]).toEqual([201, '1234']);
      expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
    },
  );

  it('is cut at the end of all time as well', async () => {
    stub.answer({ fault: 'hang-mid-body', body: '12345678' });
    const { start } = await send(stub.url, { timeoutMs: SHORT_MS, bodyMs: 10_000 });
    expect(start.toString()).toBe('1234');
  });
});

describe('without an answer', () => {
  it('a name that nobody wants to look up has not left', async () => {
    const url = stub.url.replace('127.0.0.1', 'localhost');
    const error = await failure(send(url, { lookup: checkedLookup() }));
    expect(error).toMatchObject({ code: 'EADDRREFUSED', hasLeft: false });
    expect(stub.requests).toEqual([]);
  });

  it('neither has a name that takes too long to look up', async () => {
    const error = await failure(
      send('http://guias.example/', { lookup: () => undefined, timeoutMs: SHORT_MS }),
    );
    expect(error).toMatchObject({ code: 'ETIMEDOUT', hasLeft: false });
  });

  it.each(['hang', 'reset'] as const)('it may have left: %s', async (fault) => {
    stub.answer({ fault });
    const error = await failure(send(stub.url, { timeoutMs: SHORT_MS }));
    expect(error).toMatchObject({ code: fault === 'hang' ? 'ETIMEDOUT' : 'ECONNRESET', hasLeft: true });
  });

  it('it may have left on a connection that served before', async () => {
    const agent = new Agent({ keepAlive: true });
    await send(stub.url, { agent });
    stub.answer({ fault: 'reset' });
    expect(await failure(send(stub.url, { agent }))).toMatchObject({ code: 'ECONNRESET', hasLeft: true });
    agent.destroy();
  });

  it.each([
    ['another protocol', 'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'ECONNRESET'],
    ['a head that is too long', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 'HPE_HEADER_OVERFLOW'],
    ['hints alone', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'ETIMEDOUT'],
    ['what is no HTTP', 'SSH-2.0-otra\r\n', 'HPE_INVALID_CONSTANT'],
  ])('it ends at %s', async (_what, answer, code) => {
    await withTcpServer(
      (socket) => socket.once('data', () => socket.write(answer)),
      async (port) => {
        const error = await failure(send(`http://127.0.0.1:${port}/`, { timeoutMs: SHORT_MS }));
        expect(error).toMatchObject({ code, hasLeft: true });
      },
    );
  });
});

it.each([
  ['a header that none can carry', 'http://127.0.0.1/', { 'x-algo': '“' }, 'ERR_INVALID_CHAR'],
  ['no URL', 'guias', {}, 'ERR_INVALID_URL'],
  ['another protocol', 'ftp://127.0.0.1/', {}, 'ERR_INVALID_PROTOCOL'],
])('what cannot be sent at all says so: %s', async (_what, url, headers, code) => {
  const error = await failure(send(url, { headers }));
  expect(error).toBeInstanceOf(UnsendableError);
  expect(error).toMatchObject({ code, hasLeft: false });
});
