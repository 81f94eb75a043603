import { createHmac } from 'node:crypto';

/** https://www.standardwebhooks.com: how a receiver knows that a request is ours, fresh, and no repeat. */

const PREFIX = 'whsec_';

/**
 * The headers of one try.
 * @param id of the message, the same on every try; without a dot.
 * @param keys at least one, and one signature for each: while a key is being replaced, the old one and the new one.
 * @param at when the try leaves; receivers refuse what is off by more than five minutes.
 */
export function signWebhook(
  id: string,
  body: string,
  keys: readonly Buffer[],
  at = new Date(),
): { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string } {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** The key in a secret of the form `whsec_…`; undefined where it is none: canonical base64 of 24 to 64 bytes. */
export function readWebhookSecret(text: string): Buffer | undefined {
  const key = Buffer.from(text.slice(PREFIX.length), 'base64');
  return key.length >= 24 && key.length <= 64 && text === writeWebhookSecret(key) ? key : undefined;
}

/** A key as people copy it. */
export function writeWebhookSecret(key: Buffer): string {
  return PREFIX + key.toString('base64');
}
