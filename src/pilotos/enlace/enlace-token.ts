import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 144 bits; together with the MAC a multiple of 3, so that base64url has no unused bits. */
const RANDOM_BYTES = 18;
const MAC_BYTES = 18;

const FORM = /^[A-Za-z0-9_-]{48}$/;

/** The secret part of the link to a driver's page: 48 characters, random bytes and their MAC. */
export function newToken(key: Buffer): string {
  const random = randomBytes(RANDOM_BYTES);
  return Buffer.concat([random, macOf(random, key)]).toString('base64url');
}

/** Whether this installation made the token: a guess never reaches the database. */
export function isOurToken(token: string, key: Buffer): boolean {
  if (!FORM.test(token)) return false;
  const bytes = Buffer.from(token, 'base64url');
  return timingSafeEqual(bytes.subarray(RANDOM_BYTES), macOf(bytes.subarray(0, RANDOM_BYTES), key));
}

export function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

function macOf(random: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(random).digest().subarray(0, MAC_BYTES);
}
