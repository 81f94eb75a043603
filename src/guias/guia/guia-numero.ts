import { createCipheriv } from 'node:crypto';
import { luhnDigit } from './guia-digits.js';

/** Values of each half of the Feistel network; the number space is its square. */
const HALF = 300_000;

/** 9 × 10¹⁰. */
export const GUIA_NUMERO_COUNT = HALF * HALF;

/** Added so that there are eleven digits without a leading zero, which spreadsheets would drop. */
const FIRST = 10_000_000_000;

const ROUNDS = 8;

const AES_BLOCK_BYTES = 16;

/**
 * Generates guide numbers: 12 digits, the last a Luhn check digit.
 *
 * The other eleven are a keyed permutation (a Feistel network whose round function is AES) of a sequence. So
 * numbers never collide, and two of them do not tell, without the key, how many guides were created between.
 */
export class GuiaNumeroGenerator {
  private readonly cipher;

  /** @param key 32 bytes; another key is another permutation. */
  constructor(key: Buffer) {
    this.cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  }

  /** The guide number of the `n`th guide, 0 ≤ n < GUIA_NUMERO_COUNT. */
  numeroAt(n: number): string {
    return this.numerosFrom(n, 1)[0]!;
  }

  /** The numbers of `count` guides from the `first`th on; ten times faster than one by one. */
  numerosFrom(first: number, count: number): string[] {
    if (!Number.isSafeInteger(first) || first < 0 || first + count > GUIA_NUMERO_COUNT)
      throw new RangeError(`no guide number for ${first}`);
    const halves = Array.from({ length: count }, (_, i) => ({
      left: Math.floor((first + i) / HALF),
      right: (first + i) % HALF,
    }));
    const blocks = Buffer.alloc(AES_BLOCK_BYTES * count);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, { right }] of halves.entries()) {
        blocks.writeUInt32BE(round, AES_BLOCK_BYTES * i);
        blocks.writeUInt32BE(right, AES_BLOCK_BYTES * i + 4);
      }
      const mixed = this.cipher.update(blocks);
      for (const [i, half] of halves.entries()) {
        const mix = mixed.readUIntBE(AES_BLOCK_BYTES * i, 6) % HALF;
        [half.left, half.right] = [half.right, (half.left + mix) % HALF];
      }
    }
    return halves.map(({ left, right }) => {
      const digits = String(FIRST + left * HALF + right);
      return digits + luhnDigit(digits);
    });
  }
}
