import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { answerText } from './answer-text.js';

describe('the stored text of a response', () => {
  it.each([
    ['an empty body', Buffer.alloc(0), null],
    ['UTF-8', Buffer.from('{"ok":"sí 📍"}'), '{"ok":"sí 📍"}'],
    ['lines', Buffer.from('a\r\n\tb'), 'a\r\n\tb'],
    ['NUL', Buffer.from('a\0b'), 'a\uFFFDb'],
    ['bytes of another encoding', Buffer.from('sí', 'latin1'), 's\uFFFD'],
    ['bytes that are never UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\uFFFDb'],
    ['a lone surrogate', Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62]), 'a\uFFFD\uFFFD\uFFFDb'],
    ['1 KiB', Buffer.alloc(1_024, 'x'), 'x'.repeat(1_024)],
    ['more than 1 KiB', Buffer.alloc(5_000, 'x'), 'x'.repeat(1_024)],
    ['a character across the cut', Buffer.from(`x${'📍'.repeat(300)}`), `x${'📍'.repeat(255)}`],
    ['NULs, each of which becomes three bytes', Buffer.alloc(1_024), '\uFFFD'.repeat(341)],
  ])('handles %s', (_what, body, text) => {
    expect(answerText(body)).toBe(text);
  });

  const long = JSON.stringify(Array.from({ length: 3_000 }, (_, i) => i * i));

  it.each([
    ['gzip', gzipSync('{"ok":"sí"}'), 'gzip', '{"ok":"sí"}'],
    ['gzip by its old name, in capitals', gzipSync('{"ok":"sí"}'), ' X-GZIP', '{"ok":"sí"}'],
    ['deflate', deflateSync('{"ok":"sí"}'), 'deflate', '{"ok":"sí"}'],
    ['brotli', brotliCompressSync('{"ok":"sí"}'), 'br', '{"ok":"sí"}'],
    [
      'gzip that is longer than what is read',
      gzipSync(long).subarray(0, 1_500),
      'gzip',
      long.slice(0, 1_024),
    ],
    [
      'brotli that is longer than what is read',
      brotliCompressSync(long).subarray(0, 1_500),
      'br',
      long.slice(0, 1_024),
    ],
    [
      'gzip of a gigabyte of zeros, whose start this is',
      gzipSync(Buffer.alloc(5e6, 'x')),
      'gzip',
      'x'.repeat(1_024),
    ],
    ['nothing', Buffer.alloc(0), 'gzip', null],
    ['identity', Buffer.from('hola'), 'identity', 'hola'],
    ['what is not compressed as it says', Buffer.from('hola'), 'gzip', '(respuesta comprimida: gzip)'],
    ['deflate without its frame', deflateRawSync('hola'), 'deflate', '(respuesta comprimida: deflate)'],
    [
      'an encoding that Node 20 lacks',
      Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
      'zstd',
      '(respuesta comprimida: zstd)',
    ],
    ['two encodings', gzipSync('hola'), 'gzip, br', '(respuesta comprimida: gzip, br)'],
    ['a name of every object', Buffer.from('hola'), 'constructor', '(respuesta comprimida: constructor)'],
  ])('decodes %s, or names it', (_what, body, encoding, text) => {
    expect(answerText(body, encoding)).toBe(text);
  });

  it('is always storable, and at most 1 KiB', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        const text = answerText(Buffer.from(bytes)) ?? '';
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024);
        expect(text).not.toMatch(/\0|\p{Cs}/u);
      }),
    );
  });

  it('is the whole of a short body', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (text) => {
        fc.pre(!text.includes('\0'));
        expect(answerText(Buffer.from(text))).toBe(text);
      }),
    );
  });
});
