import { createHmac, hash } from 'node:crypto';

/** 144 bits. */
const BYTES = 18;
const FORM = /^[A-Za-z0-9_-]{24}$/;

/** Days a link works. */
export const TOKEN_DAYS = 7;

/** The secret part of a message's link: 24 characters that anyone without the key can only guess. */
export function tokenOf(mensajeId: string, key: Buffer): string {
  return createHmac('sha256', key).update(mensajeId).digest().subarray(0, BYTES).toString('base64url');
}

/** What is stored of a token; undefined where the text cannot be one. */
export function tokenHash(token: string): Buffer | undefined {
  return FORM.test(token) ? hash('sha256', token, 'buffer') : undefined;
}
