const PREFIX = 'whsec_';

/** Bytes of a key that Standard Webhooks allows. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

export const WEBHOOK_SECRET_RULE = `must be ${PREFIX} followed by base64 of ${MIN_BYTES} to ${MAX_BYTES} bytes`;

/** The key in a Standard Webhooks secret; undefined unless it is `whsec_` and canonical base64 of 24 to 64 bytes. */
export function readWebhookSecret(text: string): Buffer | undefined {
  const key = Buffer.from(text.slice(PREFIX.length), 'base64');
  const isKey = key.length >= MIN_BYTES && key.length <= MAX_BYTES;
  return isKey && text === writeWebhookSecret(key) ? key : undefined;
}

/** A key as people copy it: `whsec_…`. */
export function writeWebhookSecret(key: Buffer): string {
  return PREFIX + key.toString('base64');
}
