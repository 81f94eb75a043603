import { StringDecoder } from 'node:string_decoder';

/** Bytes kept of an answer. */
const MAX_BYTES = 1_024;

/**
 * The start of an answer as a text that can be stored and shown: 1 KiB of UTF-8 at most, cut between characters,
 * with U+FFFD for what is not UTF-8 and for NUL. Null where there is nothing.
 */
export function answerText(body: Buffer): string | null {
  const text = cut(Buffer.from(cut(body).replaceAll('\0', '\uFFFD')));
  return text === '' ? null : text;
}

function cut(bytes: Buffer): string {
  if (bytes.length <= MAX_BYTES) return bytes.toString();
  // A decoder keeps back a character whose end it has not seen.
  return new StringDecoder('utf8').write(bytes.subarray(0, MAX_BYTES));
}
