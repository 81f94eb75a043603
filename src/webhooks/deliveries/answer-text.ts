import { StringDecoder } from 'node:string_decoder';
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';

/** Bytes of a response that are stored. */
const MAX_BYTES = 1_024;

/** Bytes of a compressed response that are read: these decode to a few MB at most, in milliseconds. */
const MAX_COMPRESSED = 2_048;

/** Without an error for a body that is cut. */
const CUT = { finishFlush: constants.Z_SYNC_FLUSH };
const DECODERS = new Map<string, (body: Buffer) => Buffer>([
  ['gzip', (body) => gunzipSync(body, CUT)],
  ['x-gzip', (body) => gunzipSync(body, CUT)],
  ['deflate', (body) => inflateSync(body, CUT)],
  ['br', (body) => brotliDecompressSync(body, { finishFlush: constants.BROTLI_OPERATION_FLUSH })],
]);

/**
 * The start of a response as text that PostgreSQL can store: at most 1 KiB of UTF-8, cut between characters, with
 * U+FFFD for NUL and for bytes that are not UTF-8. Null if empty.
 * @param encoding its `Content-Encoding`: some servers compress unasked. A body that cannot be decoded is named as
 * compressed.
 */
export function answerText(body: Buffer, encoding = ''): string | null {
  const text = cut(Buffer.from(cut(decoded(body, encoding.trim().toLowerCase())).replaceAll('\0', '\uFFFD')));
  return text === '' ? null : text;
}

function decoded(body: Buffer, encoding: string): Buffer {
  if (body.length === 0 || encoding === '' || encoding === 'identity') return body;
  try {
    return DECODERS.get(encoding)!(body.subarray(0, MAX_COMPRESSED));
  } catch {
    return Buffer.from(`(respuesta comprimida: ${encoding})`);
  }
}

function cut(bytes: Buffer): string {
  if (bytes.length <= MAX_BYTES) return bytes.toString();
  // A StringDecoder withholds an incomplete last character.
  return new StringDecoder('utf8').write(bytes.subarray(0, MAX_BYTES));
}
