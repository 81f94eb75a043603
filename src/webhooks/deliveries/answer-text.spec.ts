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
