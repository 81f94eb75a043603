import bwipjs from 'bwip-js/node';
// For QR codes bwip-js takes more than ten times as long.
import { correction, generate } from 'lean-qr';
import type { Box, Mark } from './marks.js';

type Code = Extract<Mark, { kind: 'code128' | 'qr' }>;

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
  const code = generate(data, {
    minCorrectionLevel: correction[level],
    maxCorrectionLevel: correction[level],
    minVersion: version,
    maxVersion: version,
  });
  const boxes: Box[] = [];
  for (let row = 0; row < code.size; row++)
    for (let column = 0, end = 0; column < code.size; column = end + 1) {
      // A box for each run of black modules: half as many as modules.
      for (end = column; code.get(end, row);) end++;
      const width = (end - column) * module;
      if (width > 0) boxes.push({ x: x + column * module, y: y + row * module, width, height: module });
    }
  return boxes;
}
