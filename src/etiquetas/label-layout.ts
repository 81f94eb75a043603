import type { LabelContent } from './label-content.js';
import { fitDetails, leastHeight } from './label-details.js';
import type { Box, Mark, Measure, TextStyle } from './marks.js';
import type { LabelSize } from './sheets.js';
import { baselineOf, fitText, heightOf, lineHeight, SMALLEST, sum, type FittedText } from './text-fit.js';

/**
 * Greatest heights of the recipient's texts, in dots, the roomiest first. A label uses the first row that leaves the details
 * their least height.
 */
const RECIPIENT_HEIGHTS = [
  { destinatario: 78, telefono: 47, municipio: 104, departamento: 54 },
  { destinatario: 62, telefono: 47, municipio: 87, departamento: 48 },
  { destinatario: 62, telefono: 47, municipio: 66, departamento: 48 },
  { destinatario: 48, telefono: 38, municipio: 58, departamento: 48 },
];

/** Height of capitals and digits, in em. */
const CAP_HEIGHT = 0.73;

/** The smallest has room for the largest amount in every currency. */
const AMOUNT_SIZES = [68, 62, 56, 50, 44, 40];

const RULE = 3;
const GAP = 14;
/** Of a rule with the space around it. */
const RULE_HEIGHT = RULE + GAP;

/** A QR code of version 1. */
const QR_MODULES = 21;
/** 1 mm. */
const QR_MODULE = 8;
const QR_SIZE = QR_MODULES * QR_MODULE;
/** Free on every side of it: the standard asks for four modules. Above and at its right this is the label's margin. */
const QR_QUIET = 4 * QR_MODULE;
/** 0.5 mm: 404 dots with start, 12 digits, check and stop. */
const BAR_MODULE = 4;
/** Quiet zone to its left, in addition to the margin: the standard requires ten modules. */
const BAR_INDENT = 8;

/**
 * Places the texts and codes of a label. From the top: a warning if there is one; merchant, number, codes and date; recipient;
 * place; details; at the bottom the amount due. The details share the height that the others leave.
 */
export function layOut(content: LabelContent, label: LabelSize, measure: Measure): Mark[] {
  const layout = new Layout(label, measure);
  const { left, width } = layout;
  const isTall = label.height > label.width;
  if (content.aviso !== null) placeWarning(layout, content.aviso, isTall);
  placeHead(layout, content);
  layout.rule(width);

  const amount = amountStyle(content, isTall);
  const frame = { x: left, y: label.height - label.margin - amount.height, width, height: amount.height };
  const bottom = frame.y - GAP;
  const least = leastHeight(content.detalles, width, measure);
  placeRecipient(layout, content, bottom - layout.y - RULE_HEIGHT - least);
  layout.rule(width);
  placeDetails(layout, content.detalles, bottom);
  placeFramed(layout, content.cobro, { frame, ...amount });
  return layout.marks;
}

interface Framed {
  frame: Box;
  /** Of the text, largest first. */
  sizes: number[];
  isFilled: boolean;
}

/** The marks placed so far, and where the next ones begin. */
class Layout {
  readonly marks: Mark[] = [];
  readonly left: number;
  readonly width: number;
  /** Top of the next part. */
  y: number;

  constructor(
    label: LabelSize,
    readonly measure: Measure,
  ) {
    this.left = label.margin;
    this.width = label.width - 2 * label.margin;
    this.y = label.margin;
  }

  text(text: string, x: number, baseline: number, style: TextStyle, isInverse = false): void {
    this.marks.push({ kind: 'text', x, baseline, text, isInverse, ...style });
  }

  /** Writes a text below the parts that are placed. */
  write({ lines, style }: FittedText): void {
    for (const line of lines) {
      this.text(line, this.left, baselineOf(this.y, style.size), style);
      this.y += lineHeight(style.size);
    }
  }

  rule(width: number): void {
    this.marks.push({ kind: 'box', x: this.left, y: this.y + GAP / 2, width, height: RULE });
    this.y += RULE_HEIGHT;
  }
}

/** Why the parcel must not be sent, across the label. Below it the QR code keeps its quiet zone. */
function placeWarning(layout: Layout, aviso: string, isTall: boolean): void {
  const { left: x, y, width } = layout;
  // The longest warning just fits in 54 dots.
  const [height, size] = isTall ? [80, 54] : [60, 51];
  placeFramed(layout, aviso, { frame: { x, y, width, height }, sizes: [size], isFilled: true });
  layout.y += height + QR_QUIET;
}

/**
 * Black if there is money to be collected. Below a warning it is only framed, because nothing else
 * should be as black as the warning; on a label of 100 × 100 mm it is also less high, to make room for the warning.
 */
function amountStyle({ hasCobro, aviso }: LabelContent, isTall: boolean) {
  const [height, largest] = isTall ? [96, 68] : aviso === null ? [72, 56] : [56, 44];
  return {
    height,
    sizes: AMOUNT_SIZES.filter((size) => size <= largest),
    isFilled: hasCobro && aviso === null,
  };
}

/** At the left the merchant, and the number in digits above its bars; at the right its QR code above the date. */
function placeHead(layout: Layout, { comercio, guia, fecha }: LabelContent): void {
  const { left, width, y: top } = layout;
  const qr = { x: left + width - QR_SIZE, y: top, module: QR_MODULE, data: guia };
  const dateStyle = { size: 26, isBold: false };
  // Of the date and of the bars. One dot more, because `baselineOf` may round down.
  const baseline = baselineOf(top + QR_SIZE + QR_QUIET, dateStyle.size) + 1;
  layout.marks.push({ kind: 'qr', ...qr });
  layout.text(fecha, qr.x, baseline, dateStyle);

  const leftWidth = width - QR_SIZE - QR_QUIET;
  const nameBox = { width: leftWidth, height: 72, sizes: [34, 30, 26, 22, SMALLEST], isBold: true };
  // A guide may have no name of a recipient; without the word, the merchant's name would pass for it.
  layout.write(fitText(`De: ${comercio}`, nameBox, layout.measure));
  layout.rule(leftWidth);
  placeNumber(layout, guia, baseline);
  layout.y = baseline;
}

/** @param bottom of the bars. */
function placeNumber(layout: Layout, guia: string, bottom: number): void {
  const { left, y } = layout;
  const style = { size: 68, isBold: true };
  const baseline = y + Math.round(CAP_HEIGHT * style.size);
  layout.text(guia, left, baseline, style);
  layout.marks.push({
    kind: 'code128',
    x: left + BAR_INDENT,
    y: baseline + GAP,
    height: bottom - baseline - GAP,
    module: BAR_MODULE,
    data: guia,
  });
}

/** @param height that names and places leave to the details below them, unless they cannot shrink further. */
function placeRecipient(layout: Layout, content: LabelContent, height: number): void {
  let fitted: FittedText[] = [];
  for (const heights of RECIPIENT_HEIGHTS) {
    fitted = fitRecipient(content, heights, layout);
    if (sum(fitted.map(heightOf)) <= height) break;
  }
  for (const text of fitted) layout.write(text);
}

function fitRecipient(
  content: LabelContent,
  heights: (typeof RECIPIENT_HEIGHTS)[number],
  { width, measure }: Layout,
): FittedText[] {
  const fit = (field: keyof typeof heights, sizes: number[], isBold: boolean) =>
    fitText(content[field], { width, height: heights[field], sizes, isBold }, measure);
  return [
    fit('destinatario', [44, 40, 36, 32, 28, 24, 22, SMALLEST], true),
    fit('telefono', [40, 36, 32], true),
    fit('municipio', [80, 72, 64, 56, 48, 40, 36, 32, 28, 24, 22, SMALLEST], true),
    fit('departamento', [40, 36, 32, 28, 24, 22, SMALLEST], false),
  ];
}

/** @param bottom where the details must end. */
function placeDetails(layout: Layout, detalles: LabelContent['detalles'], bottom: number): void {
  const { left, width } = layout;
  const { size, details } = fitDetails(detalles, { width, height: bottom - layout.y }, layout.measure);
  for (const { titulo, lines, indent } of details) {
    layout.text(titulo, left, baselineOf(layout.y, size), { size, isBold: true });
    for (const [i, line] of lines.entries()) {
      layout.text(line, left + (i === 0 ? indent : 0), baselineOf(layout.y, size), { size, isBold: false });
      layout.y += lineHeight(size);
    }
  }
}

/** One line in the middle of its frame, as large as fits; white on black if the frame is filled. */
function placeFramed(layout: Layout, text: string, { frame, sizes, isFilled }: Framed): void {
  const box = { width: frame.width - 2 * GAP, height: lineHeight(sizes[0]!), sizes, isBold: true };
  const { lines, style } = fitText(text, box, layout.measure);
  const line = lines[0]!;
  const top = frame.y + (frame.height - lineHeight(style.size)) / 2;
  const x = Math.round(frame.x + (frame.width - layout.measure(line, style)) / 2);
  layout.marks.push(...frameMarks(frame, isFilled));
  layout.text(line, x, baselineOf(top, style.size), style, isFilled);
}

/** A black box, or its outline. */
function frameMarks({ x, y, width, height }: Box, isFilled: boolean): Mark[] {
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
