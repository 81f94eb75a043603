import { randomBytes } from 'node:crypto';
import { readWebhookSecret, writeWebhookSecret } from './webhook-secret.js';

const KEY = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');

describe('a webhook secret', () => {
  it.each([24, 32, 64])('of %i bytes is read back as it was written', (size) => {
    const key = randomBytes(size);
    expect(readWebhookSecret(writeWebhookSecret(key))).toEqual(key);
  });

  it.each([
    ['an empty text', ''],
    ['no prefix', KEY.toString('base64')],
    ['another prefix', `whpk_${KEY.toString('base64')}`],
    ['23 bytes', writeWebhookSecret(randomBytes(23))],
    ['65 bytes', writeWebhookSecret(randomBytes(65))],
    ['text that is not base64', 'whsec_¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡¿¡'],
    ['base64url', `whsec_${Buffer.alloc(24, 0xff).toString('base64url')}`],
    ['no padding', writeWebhookSecret(Buffer.alloc(25)).replace(/=+$/, '')],
    ['a trailing space', `${writeWebhookSecret(KEY)} `],
  ])('is rejected with %s', (_what, text) => {
    expect(readWebhookSecret(text)).toBeUndefined();
  });
});
