import { startHttpStub, type HttpStub, type StubAnswer } from '../../../../test/support/http-stub.js';
import { outboundMessage, refusal } from '../../../../test/support/outbound-message.js';
import { SendError } from '../messaging-provider.js';
import { toCloudMessage } from './whatsapp-messages.js';
import { WhatsappProvider } from './whatsapp.provider.js';

const TOKEN = 'EAAJB-secreto';
const WAMID = 'wamid.HBgLNTAyNTU1NTEyMzQVAgARGBI1NEE1';
const MESSAGE = outboundMessage();
const accepted = (contact?: object, message: object = { id: WAMID }): StubAnswer => ({
  json: { messaging_product: 'whatsapp', ...(contact && { contacts: [contact] }), messages: [message] },
});

let stub: HttpStub;
let provider: WhatsappProvider;
let config: ConstructorParameters<typeof WhatsappProvider>[0];
beforeAll(async () => {
  stub = await startHttpStub();
  config = {
    ...{ token: TOKEN, phoneNumberId: '106540352242922', appSecret: 'x', verifyToken: 'x' },
    ...{ apiUrl: `${stub.url}/v26.0`, template: 'confirmar_ubicacion', pinTemplate: 'pin_de_entrega' },
    templateLanguage: 'es',
  };
  provider = new WhatsappProvider(config);
});
afterEach(() => stub.reset());
afterAll(() => stub.close());

it('posts the message to our number with the token', async () => {
  stub.answer(accepted());
  await provider.send(MESSAGE);
  expect(stub.requests).toHaveLength(1);
  expect(stub.requests[0]).toMatchObject({
    method: 'POST',
    path: '/v26.0/106540352242922/messages',
    json: toCloudMessage(MESSAGE, config),
  });
  expect(stub.requests[0]!.headers).toMatchObject({
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
  });
  expect(provider.isIdempotent).toBe(false);
});

it.each([
  ['with a template for it', 'pin_de_entrega', true],
  ['without one', undefined, false],
])('sends PINs %s: %s, %s', (_, pinTemplate, sends) => {
  const other = new WhatsappProvider({ ...config, pinTemplate });
  expect([other.sends('pin_de_entrega'), other.sends('confirmacion_ubicacion')]).toEqual([sends, true]);
});

it.each([
  ['stops this message alone', 'pin_de_entrega', 'permanent', 'WHATSAPP_PIN_TEMPLATE'],
  ['stops all messages', 'confirmacion_ubicacion', 'config', 'WHATSAPP_TEMPLATE'],
] as const)('a fault of the template %s, of %s', async (_, tipo, kind, variable) => {
  for (const code of [132000, 132001, 132007, 132012, 132015, 132016]) {
    stub.answer({ status: 400, json: { error: { code } } });
    const error = await refusal(provider.send({ ...MESSAGE, tipo, pin: '0042' }));
    expect([error.kind, error.code]).toEqual([kind, String(code)]);
    if (code === 132001) expect(error.message).toContain(`Revise ${variable} y`);
  }
});

describe('an accepted message', () => {
  it.each<[what: string, contact: object | undefined, known: string | null, usuario: string | null]>([
    ['a wa_id', { input: '50255551234', wa_id: '50255551234' }, null, '50255551234'],
    ['a user id', { input: 'GT.134', user_id: 'GT.134' }, 'GT.134', 'GT.134'],
    ['both', { wa_id: '50255551234', user_id: 'GT.134' }, null, 'GT.134'],
    ['a new user id', { user_id: 'GT.999' }, 'GT.134', 'GT.999'],
    ['a wa_id where the user id is known', { wa_id: '50255551234' }, 'GT.134', 'GT.134'],
    ['no contact', undefined, null, null],
    ['an odd contact', { wa_id: 7, user_id: '' }, null, null],
  ])('tells who got it: %s', async (_what, contact, known, usuario) => {
    stub.answer(accepted(contact));
    expect(await provider.send({ ...MESSAGE, usuario: known })).toEqual({ proveedorId: WAMID, usuario });
  });

  it.each<[what: string, answer: StubAnswer]>([
    ['no body', {}],
    ['no JSON', { body: '<html>' }],
    ['null', { json: null }],
    ['no messages', { json: { messages: [] } }],
    ['odd messages', { json: { messages: 'x' } }],
    ['an empty message', { json: { messages: [null] } }],
    ['an id that is not a text', accepted(undefined, { id: 7 })],
    ['an empty id', accepted(undefined, { id: '' })],
  ])('without an id is unknown: it may have been sent (%s)', async (_what, answer) => {
    stub.answer(answer);
    const error = await refusal(provider.send(MESSAGE));
    expect(error).toBeInstanceOf(SendError);
    expect(error).toMatchObject({ kind: 'unknown', code: 'HTTP 200 sin id' });
  });
});

describe('a refused message', () => {
  it.each<[what: string, answer: StubAnswer, failure: object]>([
    [
      'fails by its code',
      { status: 400, json: { error: { code: 131026 } } },
      { kind: 'permanent', code: '131026' },
    ],
    [
      'waits as long as it asks',
      { status: 429, headers: { 'retry-after': '30' } },
      { kind: 'rate', retryAfterMs: 30_000 },
    ],
  ])('%s', async (_what, answer, failure) => {
    stub.answer(answer);
    expect(await refusal(provider.send(MESSAGE))).toMatchObject(failure);
  });

  it('does not follow a redirect, which means a wrong address', async () => {
    stub.answer({ status: 302, headers: { location: `${stub.url}/otra` } });
    expect(await refusal(provider.send(MESSAGE))).toMatchObject({ kind: 'config', code: 'HTTP 302' });
    expect(stub.requests).toHaveLength(1);
  });

  it("never quotes the phone, the token or Meta's text", async () => {
    const message = '(#100) Invalid parameter for 50255551234 with EAAJB-secreto';
    for (const [status, code] of [
      [400, 100],
      [401, 190],
      [500, 2],
      [400, 999999],
    ]) {
      stub.answer({ status: status!, json: { error: { message, code, error_data: { details: message } } } });
      const error = await refusal(provider.send(MESSAGE));
      expect(JSON.stringify([error.message, error.message, error.code])).not.toMatch(/5555|EAAJB|Invalid/);
    }
  });
});
