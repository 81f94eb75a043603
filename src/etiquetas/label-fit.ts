import { bandHeight, heightOf, RULE_HEIGHT, SPACE, type LabelCanvas, type Line } from './label-canvas.js';
import { MAP_CODE, QUIET, tagBaseline } from './label-codes.js';
import type { LabelContent } from './label-content.js';
import { leastHeight, wholeHeight } from './label-details.js';
import type { Plan, Shape } from './label-shapes.js';
import type { Measure, TextStyle } from './marks.js';
import { fitText, lineHeight, SMALLEST, wrap } from './text-fit.js';

const NAME_SIZES = [44, 40, 36, 32, 28, 24, 22, SMALLEST];
const PHONE_SIZES = [40, 36, 32];
const SENDER_SIZES = [24, 22, SMALLEST];

/** Greatest number of lines of a landmark in large letters. */
const LANDMARK_LINES = 3;

/** The texts of a label by one plan. */
export interface Fitted {
  town: Line[];
  recipient: Line[];
  sender: Line[];
  /** Empty if it is one of the details. */
  landmark: Line[];
  detalles: LabelContent['detalles'];
  hasAttempts: boolean;
  /** Of each detail. */
  detailLines: number;
}

/**
 * The texts by the first plan that leaves the parts below the recipient their least height, else by the last; by another one
 * where that one prints the details whole, and cuts no more of the names.
 */
export function fitTexts(canvas: LabelCanvas, content: LabelContent, shape: Shape): Fitted {
  const room = canvas.bottom - canvas.y;
  let usual: Fitted | undefined;
  for (const plan of shape.plans) {
    const fitted = fitPlan(canvas, content, plan, shape);
    if (!usual && plan !== shape.plans.at(-1) && leastOf(canvas, content, fitted, shape) > room) continue;
    usual ??= fitted;
    if (wholeOf(canvas, content, fitted, shape) <= room && cutsOf(fitted) <= cutsOf(usual)) return fitted;
  }
  return usual!;
}

const cutsOf = ({ town, recipient, sender }: Fitted): number =>
  [...town, ...recipient, ...sender].filter(({ text }) => text.endsWith('…')).length;

function fitPlan(canvas: LabelCanvas, content: LabelContent, plan: Plan, shape: Shape): Fitted {
  const place = content.detalles.findLast(({ isPlace }) => isPlace);
  const width = columnWidth(canvas, content, shape);
  const landmark =
    plan.hasLandmark && place ? fitLandmark(place.texto, width, shape.referencia, canvas.measure) : [];
  return {
    town: fitTown(canvas, content, plan, shape),
    recipient: fitRecipient(canvas, content, plan),
    sender: fitSender(canvas, content, plan.remitente),
    landmark,
    detalles: content.detalles.filter((detalle) => landmark.length === 0 || detalle !== place),
    hasAttempts: plan.hasAttempts,
    detailLines: plan.detailLines,
  };
}

/** The least height of the parts that these texts are of. */
function leastOf(canvas: LabelCanvas, content: LabelContent, fitted: Fitted, shape: Shape): number {
  const { detalles, detailLines: most } = fitted;
  const width = columnWidth(canvas, content, shape);
  return heightWith(leastHeight(detalles, { width, most }, canvas.measure), content, fitted, shape);
}

/** The height of these parts where no detail is cut. */
function wholeOf(canvas: LabelCanvas, content: LabelContent, fitted: Fitted, shape: Shape): number {
  const width = columnWidth(canvas, content, shape);
  return heightWith(wholeHeight(fitted.detalles, width, canvas.measure), content, fitted, shape);
}

/** @param details their height. */
function heightWith(details: number, content: LabelContent, fitted: Fitted, shape: Shape): number {
  const { town, recipient, sender, landmark, hasAttempts } = fitted;
  const coordinates = content.destino === null ? 0 : lineHeight(shape.coordenadas);
  const column = heightOf(landmark) + coordinates + details;
  return (
    heightOf([...town, ...recipient, ...sender]) +
    RULE_HEIGHT +
    SPACE +
    (hasAttempts ? shape.attempts + SPACE : 0) +
    (content.isUnconfirmed ? bandHeight(shape.unconfirmed) + SPACE : 0) +
    Math.max(column, content.destino === null ? 0 : mapHeight(shape))
  );
}

/** Height of the map's code with the space above it and the word below it. */
export const mapHeight = ({ mapModule: module }: Shape) =>
  tagBaseline((QUIET + MAP_CODE.modules) * module, module);

/** Width of the texts below the recipient: the map's code stands at their right. */
export function columnWidth({ width }: LabelCanvas, { destino }: LabelContent, { mapModule }: Shape): number {
  return destino === null ? width : width - (MAP_CODE.modules + QUIET) * mapModule;
}

/** Beside each other where both fit in large letters, else the department below. */
function fitTown(canvas: LabelCanvas, content: LabelContent, plan: Plan, shape: Shape): Line[] {
  const { municipio, departamento } = content;
  const sizes = shape.municipio.filter((size) => lineHeight(size) <= plan.municipio);
  const aside = { size: shape.departamento[0]!, isBold: false };
  const large = sizes.filter((size) => size >= shape.leastBeside);
  return (
    besideEachOther(canvas, municipio, departamento, large, () => aside) ?? [
      ...fitLines(canvas, municipio, { height: plan.municipio, sizes, isBold: true }),
      ...fitLines(canvas, departamento, {
        height: plan.departamento,
        sizes: shape.departamento,
        isBold: false,
      }),
    ]
  );
}

function fitRecipient(canvas: LabelCanvas, { destinatario, telefono }: LabelContent, plan: Plan): Line[] {
  const large = NAME_SIZES.filter((size) => PHONE_SIZES.includes(size));
  return (
    besideEachOther(canvas, destinatario, telefono, large, (style) => style) ?? [
      ...fitLines(canvas, destinatario, { height: plan.destinatario, sizes: NAME_SIZES, isBold: true }),
      ...fitLines(canvas, telefono, { height: plan.telefono, sizes: PHONE_SIZES, isBold: true }),
    ]
  );
}

/** A guide may have no name of a recipient; without the word, the merchant's name would pass for it. */
function fitSender(canvas: LabelCanvas, { comercio, fecha }: LabelContent, height: number): Line[] {
  const style = { size: SENDER_SIZES[0]!, isBold: false };
  const width = canvas.width - SPACE - canvas.measure(fecha, style);
  const lines = fitLines(canvas, `De: ${comercio}`, { width, height, sizes: SENDER_SIZES, isBold: false });
  return lines.map((line, i) => (i === 0 ? { ...line, right: { text: fecha, style: line.style } } : line));
}

/** On one line, as large as fits. */
export function fitCoordinates(text: string, width: number, most: number, measure: Measure): Line[] {
  let style = { size: most, isBold: true };
  while (style.size > SMALLEST && measure(text, style) > width) style = { ...style, size: style.size - 1 };
  return [{ text, style }];
}

/** Whole, or not at all. */
function fitLandmark(text: string, width: number, sizes: number[], measure: Measure): Line[] {
  for (const size of sizes) {
    const style = { size, isBold: true };
    const lines = wrap(text, width, (part) => measure(part, style));
    if (lines.length <= LANDMARK_LINES) return lines.map((line) => ({ text: line, style }));
  }
  return [];
}

/** Two texts on one line, as large as fits; undefined if it does not fit, or one of them is empty. */
function besideEachOther(
  { width, measure }: LabelCanvas,
  text: string,
  aside: string,
  sizes: number[],
  asideStyleOf: (style: TextStyle) => TextStyle,
): Line[] | undefined {
  if (text === '' || aside === '') return undefined;
  for (const size of sizes) {
    const style = { size, isBold: true };
    const right = { text: aside, style: asideStyleOf(style) };
    const isOneLine = measure(text, style) + 2 * SPACE + measure(aside, right.style) <= width;
    if (isOneLine) return [{ text, style, right }];
  }
  return undefined;
}

function fitLines(
  canvas: LabelCanvas,
  text: string,
  box: { width?: number; height: number; sizes: number[]; isBold: boolean },
): Line[] {
  const { lines, style } = fitText(text, { width: canvas.width, ...box }, canvas.measure);
  return lines.map((line) => ({ text: line, style }));
}
