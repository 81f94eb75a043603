import { StringDecoder } from 'node:string_decoder';

/** Bytes of a response that are stored. */
const MAX_BYTES = 1_024;

/**
 * The start of a response as text that PostgreSQL can store: at most 1 KiB of UTF-8, cut between characters, with
 * U+FFFD for NUL and for bytes that are not UTF-8. Null if empty.
 */
export function answerText(body: Buffer): string | null {
  const text = cut(Buffer.from(cut(body).replaceAll('\0', '\uFFFD')));
  return text === '' ? null : text;
}

function cut(bytes: Buffer): string {
  if (bytes.length <= MAX_BYTES) return bytes.toString();
  // A StringDecoder withholds an incomplete last character.
  return new StringDecoder('utf8').write(bytes.subarray(0, MAX_BYTES));
}
