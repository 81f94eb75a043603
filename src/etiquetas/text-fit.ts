/** Width of a text in one style, in dots; that of two texts together is the sum of theirs. */
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

/** The first `max` lines; the last one ends in `…` if there were more. */
export function cut(lines: string[], max: number, width: number, widthOf: WidthOf): string[] {
  if (lines.length <= max) return lines;
  const last = longestStart(lines[max - 1]!, width - widthOf('…'), widthOf);
  return [...lines.slice(0, max - 1), `${last.trimEnd()}…`];
}

/** The longest start of a text that fits; one character at least, so that a narrow line does not stop the text. */
function longestStart(text: string, width: number, widthOf: WidthOf): string {
  let start = '';
  let room = width;
  for (const character of text) {
    room -= widthOf(character);
    if (room < 0 && start !== '') break;
    start += character;
  }
  return start;
}
