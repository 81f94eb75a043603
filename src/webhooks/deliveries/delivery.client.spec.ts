import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { startHttpStub, type HttpStub, type StubAnswer } from '../../../test/support/http-stub.js';
import { withTcpServer } from '../../../test/support/tcp-server.js';
import { writeWebhookSecret } from '../../platform/config/webhook-secret.js';
import { DeliveryClient, type Delivery } from './delivery.client.js';

/** ms; longer than a test may take, so that a request ends for another reason. */
const NEVER_MS = 600_000;
const SHORT_MS = 200;
const KEY = randomBytes(32);
const DELIVERY = {
  id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
  body: '{"type":"guia.recogido"}',
  keys: [KEY],
  timeoutMs: NEVER_MS,
};

let stub: HttpStub;
let client: DeliveryClient;
beforeAll(async () => {
  stub = await startHttpStub();
  client = new DeliveryClient({ allowPrivate: true });
});
afterEach(() => stub.reset());
afterAll(async () => {
  client.close();
  await stub.close();
});

const deliver = (parts: Partial<Delivery> = {}) => client.deliver({ ...DELIVERY, url: stub.url, ...parts });

describe('a delivery', () => {
  it('posts the body byte for byte, with headers that describe it', async () => {
    const body = '{"data":{"direccion":"¿Dónde? 📍"}}';
    await deliver({ url: `${stub.url}/ganchos?a=1`, body });
    const [request] = stub.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/ganchos?a=1' });
    expect(request!.rawBody).toEqual(Buffer.from(body));
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Guias-Webhooks/1',
      'webhook-id': DELIVERY.id,
    });
    expect(request!.headers).not.toHaveProperty('transfer-encoding');
  });

  it('is accepted by a Standard Webhooks receiver, also while its secret is being rotated', async () => {
    const keys = [KEY, randomBytes(24)];
    await deliver({ keys });
    const { rawBody, headers } = stub.requests[0]!;
    const received = headers as Record<string, string>;
    for (const key of keys)
      expect(new Webhook(writeWebhookSecret(key)).verify(rawBody, received)).toEqual({
        type: 'guia.recogido',
      });
    expect(() => new Webhook(writeWebhookSecret(randomBytes(32))).verify(rawBody, received)).toThrow();
    expect(() => new Webhook(writeWebhookSecret(KEY)).verify(`${rawBody.toString()} `, received)).toThrow();
  });

  it('has the same id and body on every attempt', async () => {
    stub.answer({ status: 503 });
    await deliver();
    await deliver();
    const [first, second] = stub.requests;
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.rawBody).toEqual(first!.rawBody);
  });
});

describe('a response', () => {
  it.each([200, 201, 202, 204, 226, 299])('%i is a success', async (status) => {
    stub.answer({ status, body: status === 204 ? '' : 'gracias', headers: { 'retry-after': '7' } });
    expect(await deliver()).toEqual({
      ...{ ok: true, status, ms: expect.any(Number), answer: status === 204 ? null : 'gracias', error: null },
      ...{ code: null, gone: false },
    });
  });

  it.each([
    300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 409, 410, 413, 422, 429, 500, 502, 503, 599,
  ])('%i is a failure, and its redirect is not followed', async (status) => {
    stub.answer({ status, headers: { location: `${stub.url}/otra` } });
    expect(await deliver()).toMatchObject({ ok: false, status, error: null, gone: status === 410 });
    expect(stub.requests).toHaveLength(1);
  });

  it('may ask for a later retry', async () => {
    stub.answer({ status: 429, headers: { 'retry-after': '120' } }, { status: 503 });
    expect(await deliver()).toMatchObject({ status: 429, retryAfterMs: 120_000 });
    expect(await deliver()).not.toHaveProperty('retryAfterMs');
  });

  it.each<[what: string, answer: StubAnswer, text: string | null]>([
    ['an empty body', {}, null],
    ['a long body', { body: 'ñ'.repeat(3_000) }, 'ñ'.repeat(512)],
    ['a body that cannot be stored', { body: Buffer.from([0x61, 0, 0xff]) }, 'a\uFFFD\uFFFD'],
  ])('with %s is kept as text that can be shown', async (_what, answer, text) => {
    stub.answer({ status: 500, ...answer });
    expect((await deliver()).answer).toBe(text);
  });

  it.each<[status: number, fault: StubAnswer['fault']]>([
    [200, 'hang-mid-body'],
    [200, 'close-mid-body'],
    [503, 'hang-mid-body'],
    [410, 'close-mid-body'],
  ])('%i counts although its body is incomplete: %s', async (status, fault) => {
    stub.answer({ status, fault, body: '12345678' });
    expect(await deliver()).toMatchObject({ ok: status === 200, status, answer: '1234', error: null });
  });

  it('with an endless body is truncated, and its connection closed', async () => {
    const closed: Promise<unknown>[] = [];
    await withTcpServer(
      (socket) => {
        closed.push(new Promise((resolve) => socket.once('close', resolve)));
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const endless = setInterval(() => socket.write('x'.repeat(8_192)), 1);
        socket.once('close', () => clearInterval(endless));
      },
      async (port) => {
        const { ok, answer } = await deliver({ url: `http://127.0.0.1:${port}/` });
        expect([ok, answer]).toEqual([true, 'x'.repeat(1_024)]);
        await closed[0];
      },
    );
  });
});

describe('without a response', () => {
  const failed = { ok: false, status: null, answer: null, gone: false };

  it.each<[what: string, url: () => string, code: string]>([
    ['a closed port', () => 'http://127.0.0.1:1/', 'ECONNREFUSED'],
    ['an open port without TLS', () => stub.url.replace('http:', 'https:'), 'EPROTO'],
  ])('reports ECONNECT for %s; the reason is for the log alone', async (_what, url, code) => {
    const { code: own, ...outcome } = await deliver({ url: url() });
    expect(outcome).toEqual({ ...failed, error: 'ECONNECT', ms: expect.any(Number) });
    expect(own).toBe(code);
  });

  it('reports a connection that is reset', async () => {
    stub.answer({ fault: 'reset' });
    expect(await deliver()).toMatchObject({ ...failed, error: 'ECONNRESET' });
  });

  it('gives up at the timeout', async () => {
    stub.answer({ fault: 'hang' });
    expect(await deliver({ timeoutMs: SHORT_MS })).toMatchObject({ ...failed, error: 'ETIMEDOUT' });
  });

  it.each([
    ['a switch of protocols', 'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'ECONNRESET'],
    ['data that is not HTTP', 'SSH-2.0-otra\r\n', 'HPE_INVALID_CONSTANT'],
    ['only early hints', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'ETIMEDOUT'],
    ['a head without an end', 'HTTP/1.1 200 OK\r\nX: ', 'ETIMEDOUT'],
  ])('reports %s: %s', async (_what, text, error) => {
    await withTcpServer(
      (socket) => socket.once('data', () => socket.write(text)),
      async (port) => {
        const timeoutMs = error === 'ETIMEDOUT' ? SHORT_MS : NEVER_MS;
        const outcome = await deliver({ url: `http://127.0.0.1:${port}/`, timeoutMs });
        expect(outcome).toMatchObject({ ...failed, error });
      },
    );
  });

  it.each([
    [{ id: 'a\nb' }, 'ERR_INVALID_CHAR'],
    [{ url: '' }, 'EADDRREFUSED'],
    [{ url: 'tienda.example' }, 'EADDRREFUSED'],
    // What no caller may send, for an error that is not Node's.
    [{ keys: [null as unknown as Buffer] }, 'ERROR'],
  ])('reports what cannot be sent, and does not throw: %j', async (parts, error) => {
    expect(await deliver(parts)).toMatchObject({ ...failed, error });
  });
});

it('with `allowPrivate`, names from /etc/hosts resolve', async () => {
  expect(await deliver({ url: stub.url.replace('127.0.0.1', 'localhost') })).toMatchObject({ ok: true });
});

describe('connections', () => {
  it('are reused for the next delivery, after failures too', async () => {
    const page = { status: 500, body: '<html>'.repeat(1_000) };
    stub.answer({}, { status: 404, body: 'no' }, page, { status: 204 }, page);
    const own = new DeliveryClient({ allowPrivate: true });
    for (let n = 0; n < 6; n += 1) await own.deliver({ ...DELIVERY, url: stub.url });
    expect([stub.requests.length, stub.connections()]).toEqual([6, 1]);
    own.close();
  });

  it('are closed after a long response', async () => {
    const own = new DeliveryClient({ allowPrivate: true });
    stub.answer({ body: 'x'.repeat(1_000_000) });
    for (let n = 0; n < 2; n += 1) expect((await own.deliver({ ...DELIVERY, url: stub.url })).ok).toBe(true);
    expect(stub.connections()).toBe(2);
    own.close();
  });

  it('that break when reused fail the attempt, without a second request', async () => {
    const own = new DeliveryClient({ allowPrivate: true });
    await own.deliver({ ...DELIVERY, url: stub.url });
    stub.answer({ fault: 'reset' });
    expect(await own.deliver({ ...DELIVERY, url: stub.url })).toMatchObject({
      ok: false,
      error: 'ECONNRESET',
    });
    expect([stub.requests.length, stub.connections()]).toEqual([2, 1]);
    own.close();
  });
});

it('concurrent deliveries have an outcome each', async () => {
  stub.otherwise((request) => ({ status: request.json.n % 2 ? 200 : 500, body: String(request.json.n) }));
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, n) => deliver({ id: `m${n}`, body: JSON.stringify({ n }) })),
  );
  outcomes.forEach(({ ok, answer }, n) => expect([ok, answer]).toEqual([n % 2 === 1, String(n)]));
  stub.otherwise({});
});

it('close() ends the attempt that is running', async () => {
  const own = new DeliveryClient({ allowPrivate: true });
  stub.answer({ fault: 'hang' });
  const outcome = own.deliver({ ...DELIVERY, url: stub.url });
  await stub.received(1);
  own.close();
  expect(await outcome).toMatchObject({ ok: false, error: 'ECONNRESET' });
});
