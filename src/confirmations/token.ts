import { createHmac, hash } from 'node:crypto';

/** 144 bits. */
const BYTES = 18;
const FORM = /^[A-Za-z0-9_-]{24}$/;

/** Days until a link expires. */
export const TOKEN_DAYS = 7;

/** The secret part of a message's link: 24 characters, derived from the message's id with the key. */
export function tokenOf(mensajeId: string, key: Buffer): string {
  return createHmac('sha256', key).update(mensajeId).digest().subarray(0, BYTES).toString('base64url');
}

/** SHA-256 of a token: only the hash is stored. Undefined for a text that cannot be a token. */
export function tokenHash(token: string): Buffer | undefined {
  return FORM.test(token) ? hash('sha256', token, 'buffer') : undefined;
}
