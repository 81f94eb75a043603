import type { Socket } from 'node:net';
import { eventually } from '../../../test/support/eventually.js';
import { startHttpStub, type HttpStub } from '../../../test/support/http-stub.js';
import { refusal } from '../../../test/support/outbound-message.js';
import { withTcpServer } from '../../../test/support/tcp-server.js';
import { SendError } from './messaging-provider.js';
import { PostJsonClient } from './post-json.client.js';

/** Milliseconds; for tests in which it passes. */
const SHORT_MS = 1_000;
const clientOf = (url: string, timeoutMs?: number) =>
  new PostJsonClient({ url, nombre: 'El puente', variable: 'MESSAGING_WEBHOOK_URL' }, timeoutMs);

let stub: HttpStub;
beforeAll(async () => (stub = await startHttpStub()));
afterEach(() => stub.reset());
afterAll(() => stub.close());

describe('posting JSON', () => {
  it('sends the body unchanged in one piece, with its length and headers', async () => {
    const body = '{"texto":"¿Dónde estás? 📍"}';
    await clientOf(`${stub.url}/ruta?a=1`).post(body, { 'x-algo': 's' });
    const [request] = stub.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/ruta?a=1' });
    expect(request!.rawBody).toEqual(Buffer.from(body));
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'x-algo': 's',
    });
    expect(request!.headers).not.toHaveProperty('transfer-encoding');
  });

  it.each([200, 204, 301, 302, 307, 400, 429, 500, 503])(
    'returns an answer %i without following redirects',
    async (status) => {
      stub.answer({ status, headers: { location: `${stub.url}/otra`, 'retry-after': '7' } });
      expect(await clientOf(stub.url).post('{}')).toEqual({
        status,
        json: undefined,
        words: null,
        retryAfterMs: 7_000,
      });
      expect(stub.requests).toHaveLength(1);
    },
  );

  it('parses the answer if it is JSON', async () => {
    stub.answer({ json: { id: 'x' } }, { body: '<html>' }, { body: Buffer.from([0xff, 0xfe]) });
    const client = clientOf(stub.url);
    expect((await client.post('{}')).json).toEqual({ id: 'x' });
    expect((await client.post('{}')).json).toBeUndefined();
    expect((await client.post('{}')).json).toBeUndefined();
  });

  it('reads up to 64 KiB of an answer, without waiting for the rest', async () => {
    const long = JSON.stringify({ id: 'x'.repeat(300_000) });
    stub.answer({ body: long, fault: 'hang-mid-body' }, { json: { id: 'x'.repeat(60_000) } });
    const client = clientOf(stub.url);
    expect(await client.post('{}')).toMatchObject({ status: 200, json: undefined });
    expect((await client.post('{}')).json).toEqual({ id: 'x'.repeat(60_000) });
  });

  it('works again after failures of all kinds', async () => {
    const client = clientOf(stub.url, SHORT_MS);
    stub.answer({ fault: 'hang' }, { fault: 'reset' }, { fault: 'close-mid-body', json: { id: 'x' } });
    for (let i = 0; i < 3; i++) await refusal(client.post('{}'));
    stub.otherwise({ json: { id: 'bien' } });
    await eventually(async () => expect((await client.post('{}')).json).toEqual({ id: 'bien' }));
    stub.otherwise({});
  });
});

describe('a request that was not sent is transient', () => {
  it('if nothing listens', async () => {
    const closed = await startHttpStub();
    await closed.close();
    const error = await refusal(clientOf(closed.url).post('{}'));
    expect(error).toBeInstanceOf(SendError);
    expect(error).toMatchObject({
      kind: 'transient',
      code: 'ECONNREFUSED',
      message:
        'El puente no está al alcance (ECONNREFUSED). Revise la red y MESSAGING_WEBHOOK_URL, y reintente.',
    });
  });

  it('if the host name does not exist', async () => {
    const error = await refusal(clientOf('http://nadie.invalid/', 5_000).post('{}'));
    expect(error).toMatchObject({ kind: 'transient' });
  });

  it.each<[string, (socket: Socket) => unknown, object]>([
    ['the server does not speak TLS', (socket) => socket.end('SSH-2.0-otra\r\n'), {}],
    ['the TLS handshake does not finish in time', () => undefined, { code: 'ETIMEDOUT' }],
  ])('if %s', async (_, serve, more) => {
    await withTcpServer(serve, async (port) => {
      const error = await refusal(clientOf(`https://127.0.0.1:${port}/`, SHORT_MS).post('{}'));
      expect(error).toMatchObject({ kind: 'transient', ...more });
    });
  });
});

describe('a request without a whole answer is unknown', () => {
  it.each(['hang', 'hang-mid-body'] as const)('%s', async (fault) => {
    stub.answer({ fault, json: { id: 'x' } });
    const error = await refusal(clientOf(stub.url, SHORT_MS).post('{}'));
    expect(error).toMatchObject({ kind: 'unknown', code: 'ETIMEDOUT' });
    expect(stub.requests).toHaveLength(1);
  });

  it.each(['reset', 'close-mid-body'] as const)('%s', async (fault) => {
    stub.answer({ fault, json: { id: 'x' } });
    const error = await refusal(clientOf(stub.url).post('{}'));
    expect(error).toBeInstanceOf(SendError);
    expect(error).toMatchObject({
      kind: 'unknown',
      code: 'ECONNRESET',
      message:
        'El puente no respondió (ECONNRESET) y pudo haber recibido el mensaje. Confirme si llegó antes de reintentar.',
    });
  });
});

it('treats an invalid header as a configuration error, and does not quote it', async () => {
  const error = await refusal(clientOf(stub.url).post('{}', { authorization: 'Bearer “secreto”' }));
  expect(error).toMatchObject({ kind: 'config', code: 'ERR_INVALID_CHAR' });
  expect(error.message).not.toContain('secreto');
  expect(stub.requests).toEqual([]);
});
