import type { LabelCanvas } from './label-canvas.js';
import type { TextStyle } from './marks.js';
import { baselineOf } from './text-fit.js';

/** Modules free on every side of a QR code, as its standard asks. Beside the label's edge this is the margin. */
export const QUIET = 4;

/** Twelve digits fit in the smallest code even with the highest error correction. */
export const GUIA_CODE = { version: 1, level: 'H', modules: 21 } as const;

/** The smallest with room for a map link with six decimals. */
export const MAP_CODE = { version: 3, level: 'L', modules: 29 } as const;

/** The word below a code, in capitals. */
const TAG: TextStyle = { size: 20, isBold: true };

/** Baseline of the word below the quiet zone of a code. One dot more, because `baselineOf` may round down. */
export const tagBaseline = (bottom: number, module: number) =>
  baselineOf(bottom + QUIET * module, TAG.size) + 1;

interface TaggedCode {
  x: number;
  y: number;
  module: number;
  data: string;
  tag: string;
}

/** A QR code, and the word that tells it from the other one. */
export function placeCode(
  canvas: LabelCanvas,
  { tag, ...code }: TaggedCode,
  { version, level, modules }: typeof GUIA_CODE | typeof MAP_CODE,
): void {
  const size = modules * code.module;
  canvas.marks.push({ kind: 'qr', ...code, version, level });
  const x = Math.round(code.x + (size - canvas.measure(tag, TAG)) / 2);
  canvas.text(tag, x, tagBaseline(code.y + size, code.module), TAG);
}
