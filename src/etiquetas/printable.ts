export interface Alphabet {
  has: (character: string) => boolean;
  /** Replaces unsupported characters, so that none disappears silently. */
  substitute: string;
}

/** Windows-1252: the letters that the resident font of every ZPL printer has. */
export const ZPL_ALPHABET: Alphabet = {
  has: (character) => /^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]$/.test(character),
  substitute: '?',
};

/** Scripts written letter by letter from left to right; of others the font has letters in the wrong order or form. */
const SIMPLE_SCRIPT =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]$/u;

/** The alphabet of a font, for PDF and PNG. */
export function fontAlphabet(hasGlyph: (codePoint: number) => boolean): Alphabet {
  return {
    has: (character) => SIMPLE_SCRIPT.test(character) && hasGlyph(character.codePointAt(0)!),
    substitute: '□',
  };
}

/** Invisible characters: joiners, direction marks, fillers, emoji variants. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

const LINE_BREAKS = /\r\n?|[\v\f\x85\u2028\u2029]/g;
/** With the blank Braille cell, and control characters. */
const SPACES = /[\p{Zs}\u2800]|(?!\n)\p{Cc}/gu;

/** Supported by both alphabets, with nothing to normalise. */
const LATIN_1 = /^[\n\x20-\x7e\xa1-\xac\xae-\xff]*$/;

/** Letters and digits that may be those of a decorative font: `𝓐`, `Ａ`, `Ⓐ`. The ordinals `ª` and `º` are not. */
const MAYBE_FANCY = /(?![\0-\x7fªº])[\p{Lu}\p{Ll}\p{Lo}\p{Nd}\p{So}]/gu;

/** The first of 26 white letters on black circles, and on squares: Unicode has no plain form of them. */
const WHITE_ON_BLACK = [0x1f150, 0x1f170];

/** Marks without a letter, or after three marks of one: they would print over the texts around. */
const STRAY_MARKS = /(?<=^|\s|\p{M}{3})\p{M}+/gu;

/** Plain forms that Unicode does not know of. */
const PLAIN = new Map(
  Object.entries({
    "'": 'ʼʻʽˈꞌꞋ′‛',
    '"': '″‟',
    '-': '‐‒―−',
    '/': '⁄∕',
    '°': '⁰',
    ...{ L: 'Ł', l: 'ł', D: 'Đ', d: 'đ', H: 'Ħ', h: 'ħ', T: 'Ŧ', t: 'ŧ', i: 'ı' },
  }).flatMap(([plain, characters]) => [...characters].map((character) => [character, plain] as const)),
);

const graphemes = new Intl.Segmenter('es');

/**
 * Converts a text to an alphabet. A letter of a decorative font becomes a plain one, and keeps at most three marks. An
 * unsupported letter gets its plain form (`ﬁ` → `fi`) or loses its accent (`ỹ` → `y`) if that helps; otherwise one
 * substitute replaces it, even if it consists of several code points, like many emoji.
 */
export function toPrintable(text: string, alphabet: Alphabet): string {
  if (LATIN_1.test(text)) return text;
  const plain = text.replace(LINE_BREAKS, '\n').replace(SPACES, ' ').replace(MAYBE_FANCY, plainLetter);
  return Array.from(graphemes.segment(plain), ({ segment }) => printableForm(segment, alphabet)).join('');
}

/** `A` for `𝓐`; any other letter as it is. */
function plainLetter(letter: string): string {
  const compatible = letter.normalize('NFKC');
  if (/^[A-Za-z0-9]$/.test(compatible)) return compatible;
  const places = WHITE_ON_BLACK.map((first) => letter.codePointAt(0)! - first);
  const place = places.find((one) => one >= 0 && one < 26);
  return place === undefined ? letter : String.fromCharCode(0x41 + place);
}

function printableForm(grapheme: string, alphabet: Alphabet): string {
  const visible = grapheme.replace(INVISIBLE, '').normalize('NFD').replace(STRAY_MARKS, '').normalize('NFC');
  const isPrintable = (form: string) =>
    [...form].every((character) => character === '\n' || alphabet.has(character));
  const base = visible.normalize('NFD').replace(/\p{M}/gu, '');
  return [visible, plainForm(visible), base, plainForm(base)].find(isPrintable) ?? alphabet.substitute;
}

/** Blanks around a number (`⅓`, `⁴`) keep it from joining the digits beside it. */
function plainForm(text: string): string {
  return Array.from(text, (character) => {
    const plain = PLAIN.get(character);
    if (plain !== undefined) return plain;
    const form = Array.from(character.normalize('NFKC'), (part) => PLAIN.get(part) ?? part).join('');
    return /\p{No}/u.test(character) ? ` ${form} ` : form;
  }).join('');
}
