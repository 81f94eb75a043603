import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { readWebhookSecret, signWebhook, writeWebhookSecret } from './standard-webhooks.js';

const KEY = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const verify = (key: Buffer, body: string, headers: Record<string, string>) =>
  new Webhook(writeWebhookSecret(key)).verify(body, headers);

describe('the headers of a webhook', () => {
  it("are those of the specification's own example", () => {
    const at = new Date(1_614_265_330_999);
    expect(signWebhook('msg_p5jXN8AQM9LWM0D4loKWxJek', '{"test": 2432232314}', [KEY], at)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('are verified by the public library, whatever the body says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uuid(), (text, id) => {
        const body = JSON.stringify({ text });
        expect(verify(KEY, body, signWebhook(id, body, [KEY]))).toEqual({ text });
      }),
    );
  });

  it('carry one signature for each key, and each is enough', () => {
    const keys = [randomBytes(24), randomBytes(32), randomBytes(64)];
    const headers = signWebhook('m1', '{}', keys);
    expect(headers['webhook-signature']).toMatch(/^(v1,[A-Za-z0-9+/]{43}=( |$)){3}/);
    for (const key of keys) expect(verify(key, '{}', headers)).toEqual({});
    expect(() => verify(randomBytes(32), '{}', headers)).toThrow('No matching signature');
  });

  it('hold for this id, this body and this time alone', () => {
    const headers = signWebhook('m1', '{}', [KEY]);
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(() => verify(KEY, '{ }', headers)).toThrow();
    expect(() => verify(KEY, '{}', { ...headers, 'webhook-id': 'm2' })).toThrow();
    expect(() => verify(KEY, '{}', { ...headers, 'webhook-timestamp': later })).toThrow();
  });
});

describe('a secret', () => {
  it.each([24, 32, 64])('of %i bytes comes back as it was written', (size) => {
    const key = randomBytes(size);
    expect(readWebhookSecret(writeWebhookSecret(key))).toEqual(key);
  });

  it.each([
    ['nothing', ''],
    ['no prefix', KEY.toString('base64')],
    ['another prefix', `whpk_${KEY.toString('base64')}`],
    ['23 bytes', writeWebhookSecret(randomBytes(23))],
    ['65 bytes', writeWebhookSecret(randomBytes(65))],
    ['what is no base64', 'whsec_¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡'],
    ['the alphabet of URLs', `whsec_${Buffer.alloc(24, 0xff).toString('base64url')}`],
    ['no padding', writeWebhookSecret(Buffer.alloc(25)).replace(/=+$/, '')],
    ['a space behind', `${writeWebhookSecret(KEY)} `],
  ])('is none with %s', (_what, text) => {
    expect(readWebhookSecret(text)).toBeUndefined();
  });
});
