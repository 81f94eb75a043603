import type { Measure, TextStyle } from './marks.js';

/** Of the font: from the top of a line to its baseline, and to the next line, in em. */
const ASCENT = 0.93;
const LINE_HEIGHT = 1.17;

/** Size of the smallest text, in dots: its capitals of 1.8 mm can be read at arm's length. */
export const SMALLEST = 20;

/** Width of a text in one style, in dots; two texts together are as wide as the sum. */
export type WidthOf = (text: string) => number;

/**
 * Breaks a text into lines that are at most `width` wide: at spaces, and within a word that is wider than a line. Line
 * breaks are kept; empty lines are not.
 * @param indent by which the first line is narrower.
 */
export function wrap(text: string, width: number, widthOf: WidthOf, indent = 0): string[] {
  const lines: string[] = [];
  const space = widthOf(' ');
  let line = '';
  let room = width - indent;
  const endLine = () => {
    if (line !== '') {
      lines.push(line);
      room = width;
    }
    line = '';
  };
  for (const paragraph of text.split('\n')) {
    for (const word of paragraph.split(' ').filter((part) => part !== '')) {
      let wordWidth = widthOf(word);
      if (line !== '' && space + wordWidth <= room) {
        line += ` ${word}`;
        room -= space + wordWidth;
        continue;
      }
      endLine();
      line = word;
      while (wordWidth > room) {
        const start = longestStart(line, room, widthOf);
        const rest = line.slice(start.length);
        line = start;
        endLine();
        line = rest;
        wordWidth = widthOf(rest);
      }
      room -= wordWidth;
    }
    endLine();
  }
  return lines;
}

const PUNCTUATION = /^[\p{P}\s]$/u;

/** A cut text without punctuation and spaces at its end: `bravo.…` would look like four dots. */
function withoutTrailingPunctuation(text: string): string {
  const characters = [...text];
  return characters.slice(0, characters.findLastIndex((one) => !PUNCTUATION.test(one)) + 1).join('');
}

/** The first `max` lines; the last one ends in `…` if there were more. */
export function cut(lines: string[], max: number, width: number, widthOf: WidthOf): string[] {
  if (lines.length <= max) return lines;
  const last = longestStart(lines[max - 1]!, width - widthOf('…'), widthOf);
  return [...lines.slice(0, max - 1), `${withoutTrailingPunctuation(last)}…`];
}

const graphemes = new Intl.Segmenter('es');

/**
 * The longest start of a text that fits; one letter with its marks at least, so that a narrow line does not stop the text. A
 * mark that began a line would print beside it.
 */
function longestStart(text: string, width: number, widthOf: WidthOf): string {
  let start = '';
  let room = width;
  for (const { segment } of graphemes.segment(text)) {
    room -= widthOf(segment);
    if (room < 0 && start !== '') break;
    start += segment;
  }
  return start;
}

/** One text in its place: as large as fits, and cut with `…` if the smallest size is still too large. */
export interface TextBox {
  width: number;
  height: number;
  /** Largest first. */
  sizes: number[];
  isBold: boolean;
}

export interface FittedText {
  lines: string[];
  style: TextStyle;
}

/** Baseline of a line, by the top of the line. */
export const baselineOf = (top: number, size: number) => Math.round(top + ASCENT * size);

export const lineHeight = (size: number) => Math.ceil(LINE_HEIGHT * size);

export const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

export function fitText(
  text: string,
  { width, height, sizes, isBold }: TextBox,
  measure: Measure,
): FittedText {
  for (const size of sizes) {
    const style = { size, isBold };
    const lines = wrap(text, width, (part) => measure(part, style));
    if (lines.length * lineHeight(size) <= height) return { lines, style };
  }
  const style = { size: sizes.at(-1)!, isBold };
  const widthOf: WidthOf = (part) => measure(part, style);
  const max = Math.floor(height / lineHeight(style.size));
  return { lines: cut(wrap(text, width, widthOf), max, width, widthOf), style };
}
