import { createHmac, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The guides that a key acts on: real ones, or its merchant's test guides. */
export type KeyMode = 'live' | 'test';

const PREFIX = { live: 'gk_live_', test: 'gk_test_' } as const satisfies Record<KeyMode, string>;
const ID_LENGTH = 8;
/** 32 base62 characters hold 190 bits. */
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(
  `^gk_(?:live|test)_([0-9A-Za-z]{${ID_LENGTH}})_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`,
);

/**
 * A new API key: `gk_live_<8 characters id>_<32 characters secret><6 characters checksum>`, in base62; a test key begins
 * with `gk_test_`. The id identifies the key and is not secret; the checksum reveals a typo without a query.
 */
export function generateApiKey(mode: KeyMode = 'live', id = randomBase62(ID_LENGTH)): string {
  const body = `${PREFIX[mode]}${id}_${randomBase62(SECRET_LENGTH)}`;
  return body + checksum(body);
}

/** The id of a key; undefined if the key is malformed or its checksum is wrong. */
export function identifierOf(key: string): string | undefined {
  const identifier = FORM.exec(key)?.[1];
  return checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH) ? identifier : undefined;
}

/** The part of a key that may be shown. */
export function prefixOf(identifier: string, mode: KeyMode): string {
  return `${PREFIX[mode]}${identifier}`;
}

/** The stored hash of a key: HMAC-SHA-256 of all of it, 32 bytes. */
export function fingerprint(key: string, pepper: Buffer): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
}

/** CRC-32 in base62, most significant character first. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[rest % BASE62.length] + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
