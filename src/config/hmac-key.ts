import { hash } from 'node:crypto';

/** Bytes that SHA-256 takes at a time. */
const BLOCK_BYTES = 64;

/**
 * A key for HMAC-SHA-256 (RFC 2104). Made of plain hashes, because `createHmac` makes an object of OpenSSL's each time,
 * whose collection costs a request ten times what the hashing does.
 */
export class HmacKey {
  // Nothing that prints an object shows these.
  readonly #inner: Buffer;
  readonly #outer: Buffer;

  /** @param key at most 64 bytes. */
  constructor(key: Buffer) {
    if (key.length > BLOCK_BYTES) throw new RangeError(`a key of ${key.length} bytes`);
    const block = Buffer.concat([key], BLOCK_BYTES);
    this.#inner = Buffer.from(block.map((byte) => byte ^ 0x36));
    this.#outer = Buffer.from(block.map((byte) => byte ^ 0x5c));
  }

  /** 32 bytes. */
  sign(...parts: (Buffer | string)[]): Buffer {
    const message = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
    const inner = hash('sha256', Buffer.concat([this.#inner, ...message]), 'buffer');
    return hash('sha256', Buffer.concat([this.#outer, inner]), 'buffer');
  }
}
