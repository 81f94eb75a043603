import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ENCODINGS = ['br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Bytes from which Brotli's best quality takes too long even once. */
const LARGE = 256 * 1024;

/**
 * Compresses on a thread of Node's pool.
 * @param how often the content is compressed: of Brotli, quality 10 (11 takes three times as long to gain 2 %) or 5.
 */
export function compress(
  encoding: Encoding,
  content: string | Buffer,
  how: 'once' | 'each time' = 'each time',
): Promise<Buffer> {
  const isBest = how === 'once' && content.length < LARGE;
  if (encoding === 'gzip') return promisify(gzip)(content, { level: isBest ? 9 : 6 });
  return promisify(brotliCompress)(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: isBest ? 10 : 5 },
  });
}

/** The best encoding that `Accept-Encoding` lists without `q=0`; undefined for none. */
export function encodingOf(acceptEncoding = ''): Encoding | undefined {
  return ENCODINGS.find((encoding) => accepts(acceptEncoding, encoding));
}

function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
