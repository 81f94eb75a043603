import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { startHttpStub, type HttpStub, type StubAnswer } from '../../../test/support/http-stub.js';
import { withTcpServer } from '../../../test/support/tcp-server.js';
import { writeWebhookSecret } from '../../validation/webhook-secret.js';
import { DeliveryClient, type Delivery, type DeliveryClientOptions } from './delivery.client.js';

const SHORT_MS = 200;
const KEY = randomBytes(32);
const DELIVERY = {
  id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
  body: '{"type":"guia.recogido"}',
  keys: [KEY],
};

let stub: HttpStub;
let client: DeliveryClient;
beforeAll(async () => {
  stub = await startHttpStub();
  client = new DeliveryClient({ allowPrivate: true, timeoutMs: 3_000 });
});
afterEach(() => stub.reset());
afterAll(async () => {
  client.close();
  await stub.close();
});

const deliver = (parts: Partial<Delivery> = {}) => client.deliver({ ...DELIVERY, url: stub.url, ...parts });

/** With a client of its own. */
async function deliverWith(options: DeliveryClientOptions, url: string) {
  const own = new DeliveryClient({ timeoutMs: 3_000, ...options });
  try {
    return await own.deliver({ ...DELIVERY, url });
  } finally {
    own.close();
  }
}

describe('a delivery', () => {
  it('posts the very bytes, and says what they are and whose', async () => {
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

  it('is verified by any Standard Webhooks receiver, also while its secret is being replaced', async () => {
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

  it('has the same id on every try', async () => {
    stub.answer({ status: 503 });
    await deliver();
    await deliver();
    const [first, second] = stub.requests;
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.rawBody).toEqual(first!.rawBody);
  });
});

describe('an answer', () => {
  it.each([200, 201, 202, 204, 226, 299])('%i is a success', async (status) => {
    stub.answer({ status, body: status === 204 ? '' : 'gracias', headers: { 'retry-after': '7' } });
    expect(await deliver()).toEqual({
      ok: true,
      status,
      ms: expect.any(Number),
      answer: status === 204 ? null : 'gracias',
      error: null,
      gone: false,
    });
  });

  it.each([
    300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 409, 410, 413, 422, 429, 500, 502, 503, 599,
  ])('%i is a failure, and nobody follows it anywhere', async (status) => {
    stub.answer({ status, headers: { location: `${stub.url}/otra` } });
    expect(await deliver()).toMatchObject({ ok: false, status, error: null, gone: status === 410 });
    expect(stub.requests).toHaveLength(1);
  });

  it('says when to come back', async () => {
    stub.answer({ status: 429, headers: { 'retry-after': '120' } }, { status: 503 });
    expect(await deliver()).toMatchObject({ status: 429, retryAfterMs: 120_000 });
    expect(await deliver()).not.toHaveProperty('retryAfterMs');
  });

  it.each<[what: string, answer: StubAnswer, text: string | null]>([
    ['of no text', {}, null],
    ['of a long text', { body: 'ñ'.repeat(3_000) }, 'ñ'.repeat(512)],
    ['of a text that cannot be stored', { body: Buffer.from([0x61, 0, 0xff]) }, 'a\uFFFD\uFFFD'],
  ])('%s is kept as one that can be shown', async (_what, answer, text) => {
    stub.answer({ status: 500, ...answer });
    expect((await deliver()).answer).toBe(text);
  });

  it.each<[status: number, fault: StubAnswer['fault']]>([
    [200, 'hang-mid-body'],
    [200, 'close-mid-body'],
    [503, 'hang-mid-body'],
    [410, 'close-mid-body'],
  ])('%i counts from its head on, and holds nobody up: %s', async (status, fault) => {
    stub.answer({ status, fault, body: '12345678' });
    const { ok, ms, ...outcome } = await deliver();
    expect(ok).toBe(status === 200);
    expect(outcome).toMatchObject({ status, answer: '1234', error: null });
    expect(ms).toBeLessThan(2_000);
  });

  it('without an end is cut, and its connection closed', async () => {
    await withTcpServer(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const endless = setInterval(() => socket.write('x'.repeat(8_192)), 1);
        socket.once('close', () => clearInterval(endless));
      },
      async (port) => {
        const { ok, answer, ms } = await deliver({ url: `http://127.0.0.1:${port}/` });
        expect([ok, answer]).toEqual([true, 'x'.repeat(1_024)]);
        expect(ms).toBeLessThan(900);
      },
    );
  });
});

describe('without an answer', () => {
  const failed = { ok: false, status: null, answer: null, gone: false };

  it.each([
    ['nobody listens', 'ECONNREFUSED'],
    ['the connection is reset', 'ECONNRESET'],
    ['there is none in time', 'ETIMEDOUT'],
  ])('%s: %s', async (what, error) => {
    stub.answer({ fault: what.includes('reset') ? 'reset' : 'hang' });
    const url = what.includes('nobody') ? 'http://127.0.0.1:1/' : stub.url;
    expect(await deliverWith({ allowPrivate: true, timeoutMs: SHORT_MS }, url)).toMatchObject({
      ...failed,
      error,
    });
  });

  it.each([
    ['another protocol', 'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'ECONNRESET'],
    ['no HTTP', 'SSH-2.0-otra\r\n', 'HPE_INVALID_CONSTANT'],
    ['hints alone', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'ETIMEDOUT'],
    ['a head without an end', 'HTTP/1.1 200 OK\r\nX: ', 'ETIMEDOUT'],
  ])('%s', async (_what, text, error) => {
    await withTcpServer(
      (socket) => socket.once('data', () => socket.write(text)),
      async (port) => {
        const url = `http://127.0.0.1:${port}/`;
        const outcome = await deliverWith({ allowPrivate: true, timeoutMs: SHORT_MS }, url);
        expect(outcome).toMatchObject({ ...failed, error });
        expect(outcome.ms).toBeLessThan(2_000);
      },
    );
  });

  it.each([
    [{ id: 'a\nb' }, 'ERR_INVALID_CHAR'],
    [{ url: '' }, 'EADDRREFUSED'],
    [{ url: 'tienda.example' }, 'EADDRREFUSED'],
    [{ keys: [null as unknown as Buffer] }, 'ERROR'],
  ])('nothing is thrown: %j', async (parts, error) => {
    expect(await deliver(parts)).toMatchObject({ ...failed, error });
  });
});

it('in a network of the operator also names of this machine alone are known', async () => {
  expect(await deliver({ url: stub.url.replace('127.0.0.1', 'localhost') })).toMatchObject({ ok: true });
});

describe('connections', () => {
  it('are kept for the next delivery, after failures too', async () => {
    const page = { status: 500, body: '<html>'.repeat(1_000) };
    stub.answer({}, { status: 404, body: 'no' }, page, { status: 204 }, page);
    const own = new DeliveryClient({ allowPrivate: true });
    for (let n = 0; n < 6; n += 1) await own.deliver({ ...DELIVERY, url: stub.url });
    expect([stub.requests.length, stub.connections()]).toEqual([6, 1]);
    own.close();
  });

  it('are closed where there is much more to read', async () => {
    const own = new DeliveryClient({ allowPrivate: true });
    stub.answer({ body: 'x'.repeat(1_000_000) });
    for (let n = 0; n < 2; n += 1) expect((await own.deliver({ ...DELIVERY, url: stub.url })).ok).toBe(true);
    expect(stub.connections()).toBe(2);
    own.close();
  });

  it('that break when they are used again are a failure, and no second request', async () => {
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

it('many at a time each have an outcome of their own', async () => {
  stub.otherwise((request) => ({ status: request.json.n % 2 ? 200 : 500, body: String(request.json.n) }));
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, n) => deliver({ id: `m${n}`, body: JSON.stringify({ n }) })),
  );
  outcomes.forEach(({ ok, answer }, n) => expect([ok, answer]).toEqual([n % 2 === 1, String(n)]));
  stub.otherwise({});
});

it('close ends what is under way', async () => {
  const own = new DeliveryClient({ allowPrivate: true });
  stub.answer({ fault: 'hang' });
  const outcome = own.deliver({ ...DELIVERY, url: stub.url });
  await stub.received(1);
  own.close();
  expect(await outcome).toMatchObject({ ok: false, error: 'ECONNRESET' });
});
