import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { signWebhook } from './standard-webhooks.js';

const KEY = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const verify = (key: Buffer, body: string, headers: Record<string, string>) =>
  new Webhook(`whsec_${key.toString('base64')}`).verify(body, headers);

describe('the signature headers of a webhook', () => {
  it("equal those of the specification's example", () => {
    const at = new Date(1_614_265_330_999);
    expect(signWebhook('msg_p5jXN8AQM9LWM0D4loKWxJek', '{"test": 2432232314}', [KEY], at)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('are accepted by the standardwebhooks library for any body', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uuid(), (text, id) => {
        const body = JSON.stringify({ text });
        expect(verify(KEY, body, signWebhook(id, body, [KEY]))).toEqual({ text });
      }),
    );
  });

  it('carry one signature per key, and any of the keys verifies them', () => {
    const keys = [randomBytes(24), randomBytes(32), randomBytes(64)];
    const headers = signWebhook('m1', '{}', keys);
    expect(headers['webhook-signature']).toMatch(/^(v1,[A-Za-z0-9+/]{43}=( |$)){3}/);
    for (const key of keys) expect(verify(key, '{}', headers)).toEqual({});
    expect(() => verify(randomBytes(32), '{}', headers)).toThrow('No matching signature');
  });
});
