import { toPrintable, ZPL_ALPHABET } from './printable.js';
import { FONT_ALPHABET } from './typeface.js';

describe('toPrintable', () => {
  it.each([
    ['Ñáñez Güell ¿qué? ¡«5º»!', 'Ñáñez Güell ¿qué? ¡«5º»!', 'Ñáñez Güell ¿qué? ¡«5º»!'],
    ['e\u0301', 'é', 'é'],
    ['“Łódź” – €', '“Łódź” – €', '“Lódz” – €'],
    ['Ypacarai ỹ g\u0303', 'Ypacarai ỹ g\u0303', 'Ypacarai y g'],
    ['Ж Ω', 'Ж Ω', '? ?'],
    ['Casa 📦', 'Casa □', 'Casa ?'],
    ['👨‍👩‍👧🏽 y 🇬🇹', '□ y □', '? y ?'],
    ['中文', '□□', '??'],
    ['שלום', '□□□□', '????'],
    ['1️⃣', '1', '1'],
    ['a\u200bb\u202ec\u00ad', 'abc', 'abc'],
    ['a\u00a0b\u2003c\td', 'a b c d', 'a b c d'],
    ['a\u2028b\nc\r\nd\re\u0085f', 'a\nb\nc\nd\ne\nf', 'a\nb\nc\nd\ne\nf'],
    ['\u2067a\u2069\u200f\ufeff\u3164\u034fb', 'ab', 'ab'],
    ['\u2800a\u0007b', ' a b', ' a b'],
    ['𝓐𝓷𝓪 𝐋𝐨𝐩𝐞𝐳 𝟓𝟓', 'Ana Lopez 55', 'Ana Lopez 55'],
    ['𝔸𝕟𝕒 𝖠𝗇𝖺 ℬℒℕ', 'Ana Ana BLN', 'Ana Ana BLN'],
    ['Ａｎａ　Ｌｏｐｅｚ　５（２）', 'Ana Lopez 5(2)', 'Ana Lopez 5(2)'],
    ['Ⓐⓝⓐ 🄰🅽🅰 🅛', 'Ana ANA L', 'Ana ANA L'],
    ['𝒥𝑜𝓈𝑒\u0301 𝑁\u0303', 'José Ñ', 'José Ñ'],
    ['ᴬⁿᵃ m² 5º 1ª', 'ᴬⁿᵃ m² 5º 1ª', 'Ana m² 5º 1ª'],
    ['2⅓ 10⁴ 2①', '2⅓ 10⁴ 2①', '2 1/3  10 4  2 1 '],
    ['ﬁn ĳ № ½ ™', 'ﬁn ĳ № ½ ™', 'fin ij No ½ ™'],
    ['Kʼicheʼ Kꞌicheꞌ Kʻ Kˈ', 'Kʼicheʼ Kꞌicheꞌ Kʻ Kˈ', "K'iche' K'iche' K' K'"],
    ['a‑b‐c−d―e 5′ 3″ 1⁄2', 'a‑b‐c−d―e 5′ 3″ 1⁄2', `a-b-c-d-e 5' 3" 1/2`],
    ['Łukasz Đuro ħ ı', 'Łukasz Đuro ħ ı', 'Lukasz Duro h i'],
    [`M${'\u0301'.repeat(40)}`, 'Ḿ\u0301\u0301', 'M'],
    [`e\u0302\u0301${'\u0323'.repeat(40)}`, 'ẹ\u0323\u0323', 'e'],
    [`M${'\u0301\u200d'.repeat(40)}x`, 'Ḿ\u0301\u0301x', 'Mx'],
    ['\u0301a \u0301b \n\u0301c', 'a b \nc', 'a b \nc'],
    ['👍🏽 ❤️ 🏴\u{e0067}\u{e0062}\u{e007f} 👩🏽‍🚀', '□ ❤ □ □', '? ? ? ?'],
    ['\ue000\u{10ffff}', '□□', '??'],
  ])('%j is %j in the font and %j in ZPL', (text, inFont, inZpl) => {
    expect(toPrintable(text, FONT_ALPHABET)).toBe(inFont);
    expect(toPrintable(text, ZPL_ALPHABET)).toBe(inZpl);
  });
});
