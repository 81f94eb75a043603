import { toPrintable, ZPL_ALPHABET } from './printable.js';
import { FONT_ALPHABET } from './typeface.js';

describe('toPrintable', () => {
  it.each([
    ['Ñáñez Güell ¿qué? ¡«5º»!', 'Ñáñez Güell ¿qué? ¡«5º»!', 'Ñáñez Güell ¿qué? ¡«5º»!'],
    ['e\u0301', 'é', 'é'],
    ['“Łódź” – €', '“Łódź” – €', '“?ódz” – €'],
    ['Ypacarai ỹ g\u0303', 'Ypacarai ỹ g\u0303', 'Ypacarai y g'],
    ['Ж Ω', 'Ж Ω', '? ?'],
    ['Casa 📦', 'Casa □', 'Casa ?'],
    ['👨‍👩‍👧🏽 y 🇬🇹', '□ y □', '? y ?'],
    ['中文', '□□', '??'],
    ['שלום', '□□□□', '????'],
    ['1️⃣', '1', '1'],
    ['a\u200bb\u202ec\u00ad', 'abc', 'abc'],
    ['a\u00a0b\u2003c\td', 'a b c d', 'a b c d'],
    ['a\u2028b\nc', 'a\nb\nc', 'a\nb\nc'],
    ['\ue000\u{10ffff}', '□□', '??'],
  ])('%j is %j in the font and %j in ZPL', (text, inFont, inZpl) => {
    expect(toPrintable(text, FONT_ALPHABET)).toBe(inFont);
    expect(toPrintable(text, ZPL_ALPHABET)).toBe(inZpl);
  });
});
