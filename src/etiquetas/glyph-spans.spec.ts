import { glyphSpans } from './glyph-spans.js';
import { bold } from './typeface.js';

/** Rows of `#` and `.` from the top of the spans on. */
function picture(spans: ReturnType<typeof glyphSpans>): string[] {
  const rows: string[] = [];
  const top = Math.min(...spans.map(({ row }) => row));
  for (const { row, from, to } of spans)
    rows[row - top] = `${(rows[row - top] ?? '').padEnd(from, '.')}${'#'.repeat(to - from)}`;
  return rows;
}

describe('glyphSpans', () => {
  it('fills an outline, and leaves its holes open', () => {
    const square = (from: number, to: number, isHole: boolean) => {
      const corners = [[from, from], [from, to], [to, to], [to, from]]; // prettier-ignore
      const [start, ...rest] = isHole ? corners.reverse() : corners;
      return [
        { command: 'moveTo' as const, args: start! },
        ...rest.map((args) => ({ command: 'lineTo' as const, args })),
        { command: 'closePath' as const, args: [] },
      ];
    };
    expect(picture(glyphSpans([...square(0, 4, false), ...square(1, 3, true)], 1))).toEqual([
      '####',
      '#..#',
      '#..#',
      '####',
    ]);
  });

  it('draws a letter of the font above its baseline', () => {
    const { path } = bold.font.glyphForCodePoint('D'.codePointAt(0)!);
    const spans = glyphSpans(path.commands, 14 / bold.font.unitsPerEm);
    expect(spans.at(-1)!.row).toBe(-1);
    expect(picture(spans)).toEqual([
      ...['.#######', '.########', '.###...##', '.###...###', '.###...###', '.###...###', '.###...###'],
      ...['.###..###', '.########', '.######'],
    ]);
  });

  it('draws nothing for a space', () => {
    expect(glyphSpans(bold.font.glyphForCodePoint(32).path.commands, 1)).toEqual([]);
  });
});
