import type { Box, Mark, Measure, TextStyle } from './marks.js';
import type { LabelSize } from './sheets.js';
import { baselineOf, fitText, lineHeight, sum } from './text-fit.js';

/** Height of capitals and digits, in em. */
export const CAP_HEIGHT = 0.73;

/** Between parts, and around the texts of a frame. */
export const SPACE = 10;
/** Thickness of lines. */
export const RULE = 3;
/** Of a rule with the space around it. */
export const RULE_HEIGHT = RULE + SPACE;

/** A line of text, and another text at its right end. */
export interface Line {
  text: string;
  style: TextStyle;
  right?: { text: string; style: TextStyle };
}

export const heightOf = (lines: Line[]) => sum(lines.map(({ style }) => lineHeight(style.size)));

/** Height of a frame around lines of these sizes. */
export const bandHeight = (sizes: number[]) => sum(sizes.map(lineHeight)) + SPACE;

interface Framed {
  frame: Box;
  /** Of the lines: each the largest of its sizes that fits, largest first. */
  lines: { text: string; sizes: number[] }[];
  isFilled: boolean;
}

/** The marks placed so far, and the height that is left between them. */
export class LabelCanvas {
  readonly marks: Mark[] = [];
  readonly left: number;
  readonly width: number;
  /** Where the next part begins, and where it must end. */
  y: number;
  bottom: number;

  constructor(
    label: LabelSize,
    readonly measure: Measure,
  ) {
    this.left = label.margin;
    this.width = label.width - 2 * label.margin;
    this.y = label.margin;
    this.bottom = label.height - label.margin;
  }

  text(text: string, x: number, baseline: number, style: TextStyle, isInverse = false): void {
    this.marks.push({ kind: 'text', x, baseline, text, isInverse, ...style });
  }

  box(box: Box): void {
    this.marks.push({ kind: 'box', ...box });
  }

  /** Writes lines below the parts that are placed. */
  write(lines: Line[]): void {
    for (const { text, style, right } of lines) {
      const baseline = baselineOf(this.y, style.size);
      this.text(text, this.left, baseline, style);
      if (right) {
        const x = this.left + this.width - this.measure(right.text, right.style);
        this.text(right.text, Math.floor(x), baseline, right.style);
      }
      this.y += lineHeight(style.size);
    }
  }

  /** Writes lines above the parts that are placed at the bottom. */
  writeAtBottom(lines: Line[]): void {
    const top = this.bottom - heightOf(lines);
    const { y } = this;
    this.y = top;
    this.write(lines);
    this.y = y;
    this.bottom = top;
  }

  rule(): void {
    this.box({ x: this.left, y: this.y + SPACE / 2, width: this.width, height: RULE });
    this.y += RULE_HEIGHT;
  }

  /** Lines in the middle of a frame; white on black if it is filled. */
  framed({ frame, lines, isFilled }: Framed): void {
    const fitted = lines.map(({ text, sizes }) => {
      const box = { width: frame.width - 2 * SPACE, height: lineHeight(sizes[0]!), sizes, isBold: true };
      const { lines: parts, style } = fitText(text, box, this.measure);
      return { text: parts[0]!, style };
    });
    this.frame(frame, isFilled);
    let y = frame.y + (frame.height - heightOf(fitted)) / 2;
    for (const { text, style } of fitted) {
      const x = Math.round(frame.x + (frame.width - this.measure(text, style)) / 2);
      this.text(text, x, baselineOf(y, style.size), style, isFilled);
      y += lineHeight(style.size);
    }
  }

  /** A black box, or its outline. */
  frame({ x, y, width, height }: Box, isFilled = false): void {
    if (isFilled) {
      this.box({ x, y, width, height });
      return;
    }
    this.box({ x, y, width, height: RULE });
    this.box({ x, y: y + height - RULE, width, height: RULE });
    this.box({ x, y, width: RULE, height });
    this.box({ x: x + width - RULE, y, width: RULE, height });
  }
}
