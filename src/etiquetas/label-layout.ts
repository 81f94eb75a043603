import type { LabelContent } from './label-content.js';
import type { LabelSize } from './sheets.js';
import { cut, wrap, type WidthOf } from './text-fit.js';

export interface TextStyle {
  /** Of the letters' em square, in dots. */
  size: number;
  isBold: boolean;
}

export interface TextMark extends TextStyle {
  kind: 'text';
  x: number;
  baseline: number;
  text: string;
  /** White, on a black box. */
  isInverse: boolean;
}

/** A filled rectangle. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What is drawn, in dots from the label's upper left corner; later marks cover earlier ones. */
export type Mark =
  | TextMark
  | ({ kind: 'box' } & Box)
  | { kind: 'code128'; x: number; y: number; height: number; module: number; data: string }
  | { kind: 'qr'; x: number; y: number; module: number; data: string };

export type Measure = (text: string, style: TextStyle) => number;

/** Of the font: from the top of a line to its baseline, and to the next line, in em. */
const ASCENT = 0.93;
const LINE_HEIGHT = 1.17;
/** Height of capitals and digits, in em. */
const CAP_HEIGHT = 0.73;

const RULE = 3;
const GAP = 14;

/** A QR code of version 1. */
const QR_MODULES = 21;
/** 1 mm. */
const QR_MODULE = 8;
const QR_SIZE = QR_MODULES * QR_MODULE;
/** Free to the left of it: the standard asks for four modules. */
const QR_QUIET = 4 * QR_MODULE;
/** 0.5 mm: 404 dots with start, 12 digits, check and stop. */
const BAR_MODULE = 4;
/** Free to the left of it, beside the margin: the standard asks for ten modules. */
const BAR_INDENT = 8;

/** The smallest is 2 mm: capitals of 1.5 mm. */
const BODY_SIZES = [32, 28, 26, 24, 22, 20, 18, 16];

/** One text in its place: as large as fits, and cut with `…` if the smallest size is still too large. */
interface TextBox {
  width: number;
  height: number;
  /** Largest first. */
  sizes: number[];
  isBold: boolean;
}

/**
 * Places what a label says. From the top: merchant and date, number and codes, recipient, place, details; at the bottom
 * what is to be collected. The details share the height that the others leave.
 */
export function layOut(content: LabelContent, label: LabelSize, measure: Measure): Mark[] {
  const { margin: left } = label;
  const width = label.width - 2 * left;
  const marks: Mark[] = [];
  let y = label.margin;

  const write = (text: string, x: number, top: number, style: TextStyle, isInverse = false) =>
    marks.push({ kind: 'text', x, baseline: baselineOf(top, style.size), text, isInverse, ...style });
  /** Returns the size chosen. */
  const writeBox = (text: string, box: TextBox): number => {
    const { lines, style } = fitText(text, box, measure);
    lines.forEach((line, i) => write(line, left, y + i * lineHeight(style.size), style));
    y += lines.length * lineHeight(style.size);
    return style.size;
  };
  const rule = (length: number) => {
    marks.push({ kind: 'box', x: left, y: y + GAP / 2, width: length, height: RULE });
    y += GAP + RULE;
  };

  const dateStyle = { size: 24, isBold: false };
  const dateWidth = Math.ceil(measure(content.fecha, dateStyle));
  const top = y;
  const nameSize = writeBox(content.comercio, {
    width: width - dateWidth - 2 * GAP,
    height: 60,
    sizes: [34, 30, 26, 22, 20, 18, 16],
    isBold: true,
  });
  marks.push({
    kind: 'text',
    x: left + width - dateWidth,
    baseline: baselineOf(top, Math.max(nameSize, dateStyle.size)),
    text: content.fecha,
    isInverse: false,
    ...dateStyle,
  });
  y = Math.max(y, top + lineHeight(nameSize));
  rule(width - QR_SIZE - QR_QUIET);

  const digits = { size: 68, isBold: true };
  const digitsHeight = Math.round(CAP_HEIGHT * digits.size);
  marks.push(
    { kind: 'text', x: left, baseline: y + digitsHeight, text: content.guia, isInverse: false, ...digits },
    {
      kind: 'code128',
      x: left + BAR_INDENT,
      y: y + digitsHeight + GAP,
      height: QR_SIZE - digitsHeight - GAP,
      module: BAR_MODULE,
      data: content.guia,
    },
    { kind: 'qr', x: left + width - QR_SIZE, y, module: QR_MODULE, data: content.guia },
  );
  y += QR_SIZE;
  rule(width - QR_SIZE - QR_QUIET);

  writeBox(content.destinatario, {
    width,
    height: 78,
    sizes: [44, 40, 36, 32, 28, 24, 22, 20],
    isBold: true,
  });
  writeBox(content.telefono, { width, height: 50, sizes: [40], isBold: true });
  writeBox(content.municipio, {
    width,
    height: 104,
    sizes: [80, 72, 64, 56, 48, 40, 36, 32, 28, 24],
    isBold: true,
  });
  writeBox(content.departamento, { width, height: 54, sizes: [40, 36, 32, 28, 24, 22, 20], isBold: false });
  rule(width);

  const cobroSize = label.height > label.width ? 68 : 56;
  const cobroHeight = cobroSize + 2 * GAP;
  const cobroY = label.height - label.margin - cobroHeight;

  const body = fitDetails(content.detalles, { width, height: cobroY - GAP - y }, measure);
  for (const { titulo, lines, indent } of body.details) {
    write(titulo, left, y, { size: body.size, isBold: true });
    lines.forEach((line, i) => {
      write(line, left + (i === 0 ? indent : 0), y, { size: body.size, isBold: false });
      y += lineHeight(body.size);
    });
  }

  const cobro = fitText(
    content.cobro,
    { width: width - 2 * GAP, height: lineHeight(cobroSize), sizes: [cobroSize, 48, 40], isBold: true },
    measure,
  );
  marks.push(...frame({ x: left, y: cobroY, width, height: cobroHeight }, content.hasCobro));
  write(
    cobro.lines[0]!,
    Math.round(left + (width - measure(cobro.lines[0]!, cobro.style)) / 2),
    cobroY + (cobroHeight - lineHeight(cobro.style.size)) / 2,
    cobro.style,
    content.hasCobro,
  );
  return marks;
}

const baselineOf = (top: number, size: number) => Math.round(top + ASCENT * size);
const lineHeight = (size: number) => Math.ceil(LINE_HEIGHT * size);

function fitText(
  text: string,
  { width, height, sizes, isBold }: TextBox,
  measure: Measure,
): { lines: string[]; style: TextStyle } {
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

interface Detail {
  titulo: string;
  lines: string[];
  /** Where the first line begins, after the title. */
  indent: number;
}

/**
 * All details in one size. If the smallest is too large, the longest of them is cut, line by line. Each keeps a line, for
 * which a label of 100 × 100 mm has room in the gap above the frame.
 */
function fitDetails(
  detalles: LabelContent['detalles'],
  { width, height }: { width: number; height: number },
  measure: Measure,
): { size: number; details: Detail[] } {
  let fitted: { size: number; details: Detail[] } = { size: 0, details: [] };
  for (const size of BODY_SIZES) {
    const widthOf: WidthOf = (text) => measure(text, { size, isBold: false });
    const details = detalles.map(({ titulo, texto }) => {
      const indent = Math.ceil(measure(`${titulo} `, { size, isBold: true }));
      return { titulo, indent, lines: wrap(texto, width, widthOf, indent) };
    });
    fitted = { size, details };
    if (countLines(details) * lineHeight(size) <= height) return fitted;
  }
  const max = Math.max(fitted.details.length, Math.floor(height / lineHeight(fitted.size)));
  const widthOf: WidthOf = (text) => measure(text, { size: fitted.size, isBold: false });
  for (let extra = countLines(fitted.details) - max; extra > 0; extra--) {
    const longest = fitted.details.reduce((a, b) => (b.lines.length >= a.lines.length ? b : a));
    const kept = longest.lines.length - 1;
    longest.lines = cut(longest.lines, kept, kept === 1 ? width - longest.indent : width, widthOf);
  }
  return fitted;
}

const countLines = (details: Detail[]) => details.reduce((sum, { lines }) => sum + lines.length, 0);

/** A black box, or its outline. */
function frame({ x, y, width, height }: Box, isFilled: boolean): Mark[] {
  const boxes = isFilled
    ? [{ x, y, width, height }]
    : [
        { x, y, width, height: RULE },
        { x, y: y + height - RULE, width, height: RULE },
        { x, y, width: RULE, height },
        { x: x + width - RULE, y, width: RULE, height },
      ];
  return boxes.map((box) => ({ kind: 'box', ...box }));
}
