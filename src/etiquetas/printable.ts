/** The characters that a writer can print. */
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

/**
 * Scripts that are written from left to right, letter by letter. The font has some letters of others (Arabic, Hebrew),
 * but in the wrong order or form.
 */
const SIMPLE_SCRIPT =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]$/u;

/** The alphabet of a font, for PDF and PNG. */
export function fontAlphabet(hasGlyph: (codePoint: number) => boolean): Alphabet {
  return {
    has: (character) => SIMPLE_SCRIPT.test(character) && hasGlyph(character.codePointAt(0)!),
    substitute: '□',
  };
}

/** Invisible characters: joiners, direction marks, emoji variants. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}]/gu;

const SPACES = /[\p{Zs}\t]+/gu;
const LINE_BREAKS = /[\u2028\u2029]/g;

/** Supported by both alphabets, with nothing to normalise. */
const LATIN_1 = /^[\n\x20-\x7e\xa1-\xac\xae-\xff]*$/;

const graphemes = new Intl.Segmenter('es');

/**
 * Converts a text to an alphabet. An unsupported letter loses its accent (`ỹ` → `y`) if that helps; otherwise one
 * substitute replaces it, even if it consists of several code points, like many emoji.
 */
export function toPrintable(text: string, alphabet: Alphabet): string {
  if (LATIN_1.test(text)) return text;
  const plain = text.normalize('NFC').replace(LINE_BREAKS, '\n').replace(SPACES, ' ');
  return Array.from(graphemes.segment(plain), ({ segment }) => printableForm(segment, alphabet)).join('');
}

function printableForm(grapheme: string, alphabet: Alphabet): string {
  const visible = grapheme.replace(INVISIBLE, '');
  const isPrintable = (form: string) =>
    [...form].every((character) => character === '\n' || alphabet.has(character));
  const base = visible.normalize('NFD').replace(/\p{M}/gu, '');
  if (isPrintable(visible)) return visible;
  return base !== '' && isPrintable(base) ? base : alphabet.substitute;
}
