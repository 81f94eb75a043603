import { randomBytes } from 'node:crypto';
import { startHttpStub, type HttpStub, type StubAnswer } from '../../../../test/support/http-stub.js';
import { outboundMessage, refusal } from '../../../../test/support/outbound-message.js';
import { SendError } from '../messaging-provider.js';
import { WebhookProvider } from './webhook.provider.js';

const KEY = randomBytes(32);
const MESSAGE = outboundMessage();

let stub: HttpStub;
let provider: WebhookProvider;
let config: ConstructorParameters<typeof WebhookProvider>[0];
beforeAll(async () => {
  stub = await startHttpStub();
  config = { url: `${stub.url}/puente`, key: KEY };
  provider = new WebhookProvider(config);
});
afterEach(() => stub.reset());
afterAll(() => stub.close());

describe('the webhook provider sends', () => {
  it('exactly the documented fields, in this order', async () => {
    await provider.send(outboundMessage({ texto: '¿Dónde? 📍' }));
    expect(stub.requests[0]).toMatchObject({ method: 'POST', path: '/puente' });
    expect(stub.requests[0]!.rawBody.toString()).toBe(
      '{"id":"01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57","tipo":"confirmacion_ubicacion","telefono":"+50255551234",' +
        '"texto":"¿Dónde? 📍","enlace":"https://guias.example.com/c/TOKEN","guia":"482019375624","comercio":"Tienda Maya"}',
    );
  });

  it('a retry under the same id', async () => {
    stub.answer({ status: 503 });
    await refusal(provider.send(MESSAGE));
    await provider.send({ ...MESSAGE, intentos: 1 });
    expect(provider.isIdempotent).toBe(true);
    const [first, second] = stub.requests;
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.rawBody).toEqual(first!.rawBody);
  });
});

describe('the webhook provider treats as accepted', () => {
  it.each<[what: string, answer: StubAnswer, proveedorId: string | null]>([
    ['200 with an id', { json: { id: 'abc-1' } }, 'abc-1'],
    ['201 with more than an id', { status: 201, json: { id: 'abc-1', ok: true } }, 'abc-1'],
    ['202 without a body', { status: 202 }, null],
    ['204', { status: 204 }, null],
    ['an answer that is not JSON', { body: 'OK' }, null],
    ['JSON that is no object', { json: null }, null],
    ['JSON that is a list', { json: ['id'] }, null],
    ['an id that is not a text', { json: { id: 7 } }, null],
    ['an empty id', { json: { id: '' } }, null],
    ['an id longer than 512 characters', { json: { id: 'x'.repeat(513) } }, null],
    ['an id that cannot be stored', { json: { id: 'a\0b' } }, null],
    ['an answer longer than what is read', { json: { id: 'x', relleno: 'x'.repeat(70_000) } }, null],
  ])('%s', async (_what, answer, proveedorId) => {
    stub.answer(answer);
    expect(await provider.send(MESSAGE)).toEqual({ proveedorId, usuario: null });
  });
});

describe('the webhook provider fails', () => {
  it.each([429, 500, 502, 503, 504, 599])(
    'temporarily on %i, for as long as the receiver asks',
    async (status) => {
      stub.answer({ status, headers: { 'retry-after': '90' } }, { status });
      expect(await refusal(provider.send(MESSAGE))).toMatchObject({
        kind: 'transient',
        code: `HTTP ${status}`,
        retryAfterMs: 90_000,
      });
      expect((await refusal(provider.send(MESSAGE))).retryAfterMs).toBeUndefined();
    },
  );

  it.each([300, 301, 302, 303, 304, 307, 308, 400, 403, 404, 405, 408, 409, 410, 413, 415, 422, 425, 451])(
    'permanently on %i, without following a redirect',
    async (status) => {
      stub.answer({ status, headers: { location: `${stub.url}/otra`, 'retry-after': '90' } });
      const error = await refusal(provider.send(MESSAGE));
      expect(error).toBeInstanceOf(SendError);
      expect(error).toMatchObject({ kind: 'permanent', code: `HTTP ${status}`, retryAfterMs: undefined });
      expect(stub.requests).toHaveLength(1);
    },
  );

  it('for all messages on 401, for as long as the receiver asks', async () => {
    stub.answer({ status: 401, headers: { 'retry-after': '90' }, json: { message: 'Bad key' } });
    const error = await refusal(provider.send(MESSAGE));
    expect(error).toMatchObject({
      kind: 'config',
      code: 'HTTP 401',
      retryAfterMs: 90_000,
      answer: 'Bad key',
    });
  });

  it('for all messages once 403 forbids three numbers in a row', async () => {
    const kinds = async (...numbers: string[]) => {
      const found: string[] = [];
      for (const telefono of numbers) {
        stub.answer({ status: 403, json: { error: { message: 'No allowed' } } });
        found.push((await refusal(provider.send(outboundMessage({ telefono })))).kind);
      }
      return found;
    };
    await provider.send(MESSAGE);
    expect(await kinds('+50255550001', '+50255550001', '+50255550001', '+50255550002')).toEqual(
      Array(4).fill('permanent'),
    );
    await provider.send(MESSAGE);
    expect(await kinds('+50255550001', '+50255550002', '+50255550003', '+50255550003')).toEqual([
      'permanent',
      'permanent',
      'config',
      'config',
    ]);
  });

  it.each([301, 400, 401, 403, 404, 408, 410, 422, 429, 503])(
    'with a cause that says what to do and quotes nothing (%i)',
    async (status) => {
      stub.answer({ status, json: { error: 'no existe +50255551234', token: 'TOKEN' } });
      const { message } = await refusal(provider.send(MESSAGE));
      expect(message).toMatch(new RegExp(`^El puente de mensajería .+ \\(HTTP ${status}\\)\\. .+\\.$`));
      expect(message).not.toMatch(/5555|TOKEN|127\.0\.0\.1/);
    },
  );
});
