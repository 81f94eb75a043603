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

/** The modules of a QR code, row by row, and how many a row has; without a quiet zone. */
export function qrPixels(options: { text: string; version?: string; eclevel: string }): {
  pixs: number[];
  pixx: number;
} {
  const [code] = bwipjs.raw({ bcid: 'qrcode', ...options }) as { pixs: number[]; pixx: number }[];
  return code!;
}

function qrBoxes({ x, y, module, data, version, level }: Extract<Code, { kind: 'qr' }>): Box[] {
  const options = { text: data, version: String(version), eclevel: level };
  const { pixs, pixx } = qrPixels(options);
  return pixs.flatMap((isBlack, i) =>
    isBlack
      ? [{ x: x + (i % pixx) * module, y: y + Math.floor(i / pixx) * module, width: module, height: module }]
      : [],
  );
}
