import { createHmac } from 'node:crypto';

/**
 * The signature headers of one request, as https://www.standardwebhooks.com defines them: they prove who sent it,
 * when, and that nothing was changed.
 * @param id of the message, the same on every retry; must not contain a dot.
 * @param keys one signature each; two while a key is being rotated.
 * @param at time of sending; receivers reject a difference of more than five minutes.
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
