import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, type Font } from 'fontkit';
import type { Measure } from './marks.js';
import { fontAlphabet } from './printable.js';

const FOLDER = join(import.meta.dirname, 'fonts');

/** DejaVu Sans Condensed: narrow, and with more letters than other free fonts. */
export const FONT_FILES = {
  regular: join(FOLDER, 'DejaVuSansCondensed.ttf'),
  bold: join(FOLDER, 'DejaVuSansCondensed-Bold.ttf'),
};

/** One weight of the font. */
class Typeface {
  private readonly advances = new Map<string, number>();
  readonly font: Font;

  constructor(path: string) {
    this.font = create(readFileSync(path)) as Font;
  }

  /** In em. Without kerning, so that each letter is looked up once. */
  widthOf(text: string): number {
    let width = 0;
    for (const character of text) width += this.advanceOf(character);
    return width;
  }

  private advanceOf(character: string): number {
    const known = this.advances.get(character);
    if (known !== undefined) return known;
    const { advanceWidth } = this.font.glyphForCodePoint(character.codePointAt(0)!);
    const advance = advanceWidth / this.font.unitsPerEm;
    this.advances.set(character, advance);
    return advance;
  }
}

export const regular = new Typeface(FONT_FILES.regular);
export const bold = new Typeface(FONT_FILES.bold);

export const measure: Measure = (text, { size, isBold }) => (isBold ? bold : regular).widthOf(text) * size;

/** The letters that both weights have. */
export const FONT_ALPHABET = fontAlphabet((codePoint) =>
  [regular, bold].every(({ font }) => font.hasGlyphForCodePoint(codePoint)),
);
