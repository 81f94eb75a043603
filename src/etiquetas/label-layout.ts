import { inFours } from '../guias/guia/guia-digits.js';
import { bandHeight, CAP_HEIGHT, LabelCanvas, RULE, SPACE } from './label-canvas.js';
import { GUIA_CODE, MAP_CODE, placeCode, QUIET, tagBaseline } from './label-codes.js';
import type { LabelContent } from './label-content.js';
import { fitDetails, leastHeight, wholeHeight } from './label-details.js';
import { columnWidth, fitCoordinates, fitTexts, mapHeight, type Fitted } from './label-fit.js';
import { shapeOf, type Shape } from './label-shapes.js';
import type { Mark, Measure } from './marks.js';
import type { LabelSize } from './sheets.js';
import { baselineOf, lineHeight, SMALLEST } from './text-fit.js';

/** The smallest has room for the largest amount in every currency. */
const AMOUNT_SIZES = [88, 80, 74, 68, 62, 56, 50, 44, 40];

/** 0.5 mm: 404 dots with start, 12 digits, check and stop. */
const BAR_MODULE = 4;
/** Quiet zone to its left, in addition to the margin: the standard requires ten modules. */
const BAR_INDENT = 8;

const ATTEMPTS = ['1', '2', '3'];
/** Below the day and the hour of an attempt, where there is room. */
const REASONS = ['No había nadie', 'No di con la casa'];
const TICK_BOX = 17;
const ATTEMPT = { size: 24, isBold: false };

/** Between lines to write on, and the least number of them. */
const WRITING_HEIGHT = 52;
const WRITING_LINES = 2;

/**
 * Places the texts and codes of a label. From the top: a warning if there is one; number and codes; the amount due; place and
 * recipient. At the bottom: who sends it, and boxes for attempts. Between them: where to go, and the code that opens a map.
 */
export function layOut(content: LabelContent, label: LabelSize, measure: Measure): Mark[] {
  const shape = shapeOf(label);
  const canvas = new LabelCanvas(label, measure);
  if (content.aviso !== null) placeWarning(canvas, content.aviso, shape);
  placeHead(canvas, content.guia, shape);
  placeAmount(canvas, content, shape);

  const fitted = fitTexts(canvas, content, shape);
  canvas.write(fitted.town);
  canvas.rule();
  canvas.write(fitted.recipient);
  canvas.writeAtBottom(fitted.sender);
  canvas.bottom -= SPACE;
  if (fitted.hasAttempts) placeAttempts(canvas, shape);
  if (content.isUnconfirmed) placeUnconfirmed(canvas, content.telefono, shape);
  placeDestination(canvas, content, fitted, shape);
  return canvas.marks;
}

/** Why the parcel must not be sent, across the label. Below it the QR code keeps its quiet zone. */
function placeWarning(canvas: LabelCanvas, text: string, { aviso, guiaModule }: Shape): void {
  const { left: x, y, width } = canvas;
  const frame = { x, y, width, height: aviso.height };
  canvas.framed({ frame, lines: [{ text, sizes: [aviso.size] }], isFilled: true });
  canvas.y += aviso.height + QUIET * guiaModule;
}

/** At the left the bars above the number in digits, at the right its QR code. */
function placeHead(canvas: LabelCanvas, guia: string, { guiaModule: module, numero }: Shape): void {
  const { left, width, y } = canvas;
  const size = GUIA_CODE.modules * module;
  placeCode(canvas, { x: left + width - size, y, module, data: guia, tag: 'GUÍA' }, GUIA_CODE);
  const bottom = tagBaseline(y + size, module);
  const x = left + BAR_INDENT;
  const height = bottom - Math.ceil(CAP_HEIGHT * numero) - SPACE - y;
  canvas.marks.push({ kind: 'code128', x, y, height, module: BAR_MODULE, data: guia });
  canvas.text(inFours(guia), x, bottom, { size: numero, isBold: true });
  canvas.y = bottom + SPACE;
}

/** Black if there is money to be collected; below a warning only framed, so that the warning is the blackest. */
function placeAmount(canvas: LabelCanvas, { cobro, hasCobro, aviso }: LabelContent, shape: Shape): void {
  const { left: x, y, width } = canvas;
  const height = aviso === null ? shape.amount : shape.amountBelowWarning;
  const sizes = AMOUNT_SIZES.filter((size) => lineHeight(size) <= height);
  const isFilled = hasCobro && aviso === null;
  canvas.framed({ frame: { x, y, width, height }, lines: [{ text: cobro, sizes }], isFilled });
  canvas.y += height + SPACE / 2;
}

/** Boxes in which the courier writes when nobody was there. */
function placeAttempts(canvas: LabelCanvas, { attempts: height }: Shape): void {
  const { left, width } = canvas;
  const y = canvas.bottom - height;
  const step = Math.floor(width / ATTEMPTS.length);
  const lines = ['____/____  ____:____', ...REASONS].slice(
    0,
    Math.floor((height - SPACE) / lineHeight(ATTEMPT.size)),
  );
  for (const [i, number] of ATTEMPTS.entries()) {
    const x = left + i * step;
    // Neighbours share a line.
    canvas.frame({ x, y, width: Math.min(step + RULE, left + width - x), height });
    for (const [row, text] of lines.entries()) {
      const baseline = baselineOf(y + SPACE / 2 + row * lineHeight(ATTEMPT.size), ATTEMPT.size);
      const textX = x + SPACE + ATTEMPT.size;
      canvas.text(text, textX, baseline, ATTEMPT);
      if (row === 0) canvas.text(number, x + SPACE, baseline, { ...ATTEMPT, isBold: true });
      else canvas.frame({ x: x + SPACE, y: baseline - TICK_BOX, width: TICK_BOX, height: TICK_BOX });
    }
  }
  canvas.bottom = y - SPACE;
}

/** In place of a map: the courier has to ask where to go. */
function placeUnconfirmed(canvas: LabelCanvas, telefono: string, { unconfirmed: sizes }: Shape): void {
  const height = bandHeight(sizes);
  const { left: x, width } = canvas;
  const y = canvas.bottom - height;
  const texts =
    sizes.length === 1 ? ['SIN CONFIRMAR, LLAMAR ANTES'] : ['SIN CONFIRMAR', `LLAMAR ANTES: ${telefono}`];
  const lines = texts.map((text, i) => ({ text, sizes: AMOUNT_SIZES.filter((size) => size <= sizes[i]!) }));
  canvas.framed({ frame: { x, y, width, height }, lines, isFilled: false });
  canvas.bottom = y - SPACE;
}

/** Landmark, coordinates and details, at their right the code that opens a map. */
function placeDestination(
  canvas: LabelCanvas,
  content: LabelContent,
  { landmark, detalles, detailLines: most }: Fitted,
  shape: Shape,
): void {
  const { left, measure } = canvas;
  const { destino } = content;
  const width = columnWidth(canvas, content, shape);
  if (destino !== null) {
    const module = shape.mapModule;
    const code = { x: left + canvas.width - MAP_CODE.modules * module, module, data: destino.enlace };
    const y = canvas.bottom - mapHeight(shape) + QUIET * module;
    placeCode(canvas, { ...code, y, tag: 'MAPA' }, MAP_CODE);
  }
  canvas.write(landmark);
  if (destino !== null) canvas.write(fitCoordinates(destino.texto, width, shape.coordenadas, measure));
  const free = canvas.bottom - canvas.y;
  const whole = wholeHeight(detalles, width, measure);
  const least = whole <= free ? whole : leastHeight(detalles, { width, most }, measure);
  const writing = WRITING_LINES * WRITING_HEIGHT;
  const hasWriting = content.isUnconfirmed && least + writing <= free;
  placeDetails(canvas, detalles, { width, height: hasWriting ? free - writing : free });
  if (hasWriting) placeWritingLines(canvas);
}

function placeDetails(
  canvas: LabelCanvas,
  detalles: LabelContent['detalles'],
  room: { width: number; height: number },
): void {
  const { left } = canvas;
  const { size, details } = fitDetails(detalles, room, canvas.measure);
  for (const { titulo, lines, indent } of details) {
    canvas.text(titulo, left, baselineOf(canvas.y, size), { size, isBold: true });
    for (const [i, line] of lines.entries()) {
      const x = left + (i === 0 ? indent : 0);
      canvas.text(line, x, baselineOf(canvas.y, size), { size, isBold: false });
      canvas.y += lineHeight(size);
    }
  }
}

/** For what the recipient says on the phone. */
function placeWritingLines(canvas: LabelCanvas): void {
  const { left: x, width } = canvas;
  canvas.text('Cómo llegar, según dijo:', x, baselineOf(canvas.y + SPACE, SMALLEST), {
    size: SMALLEST,
    isBold: false,
  });
  for (let y = canvas.y + WRITING_HEIGHT; y <= canvas.bottom; y += WRITING_HEIGHT)
    canvas.box({ x, y: y - RULE, width, height: RULE });
}
