import bwipjs from 'bwip-js/node';
import type { Box, Mark } from './marks.js';

type Code = Extract<Mark, { kind: 'code128' | 'qr' }>;

/** The black boxes of a code. */
export function boxesOf(code: Code): Box[] {
  return code.kind === 'qr' ? qrBoxes(code) : barBoxes(code);
}

function barBoxes({ x, y, height, module, data }: Extract<Code, { kind: 'code128' }>): Box[] {
  // Widths of bars and spaces, alternating.
  const [code] = bwipjs.raw({ bcid: 'code128', text: data }) as { sbs: number[] }[];
  const boxes: Box[] = [];
  let left = x;
  for (const [i, modules] of code!.sbs.entries()) {
    if (i % 2 === 0) boxes.push({ x: left, y, width: modules * module, height });
    left += modules * module;
  }
  return boxes;
}

function qrBoxes({ x, y, module, data, version, level }: Extract<Code, { kind: 'qr' }>): Box[] {
  const options = { bcid: 'qrcode', text: data, version: String(version), eclevel: level };
  const [code] = bwipjs.raw(options) as { pixs: number[]; pixx: number }[];
  const { pixs, pixx } = code!;
  return pixs.flatMap((isBlack, i) =>
    isBlack
      ? [{ x: x + (i % pixx) * module, y: y + Math.floor(i / pixx) * module, width: module, height: module }]
      : [],
  );
}
