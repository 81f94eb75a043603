import { createHmac, timingSafeEqual } from 'node:crypto';

/** The hex HMAC in `X-Hub-Signature-256`; undefined where the header is absent or malformed. */
export function signatureIn(header: unknown): string | undefined {
  return typeof header === 'string' ? /^sha256=([0-9a-f]{64})$/i.exec(header)?.[1] : undefined;
}

/**
 * Whether Meta sent this body: `X-Hub-Signature-256` is `sha256=` and the hex HMAC-SHA256 of the raw bytes.
 * The raw bytes matter because Meta escapes all non-ASCII characters in its JSON. Never throws.
 */
export function isSignedByMeta(rawBody: Buffer, header: unknown, appSecret: string): boolean {
  const hex = signatureIn(header);
  if (hex === undefined || !Buffer.isBuffer(rawBody)) return false;
  const expected = createHmac('sha256', appSecret).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(hex, 'hex'));
}
