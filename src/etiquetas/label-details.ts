import type { LabelContent } from './label-content.js';
import type { Measure } from './marks.js';
import { cut, lineHeight, SMALLEST, sum, wrap, type WidthOf } from './text-fit.js';

/** Largest first; a label of 100 × 100 mm rarely has room for the largest. */
const BODY_SIZES = [36, 32, 28, 26, 24, 22, SMALLEST];

interface Detail {
  titulo: string;
  isPlace: boolean;
  lines: string[];
  /** Where the first line begins, after the title. */
  indent: number;
}

/** Height of the details in the smallest size. @param most lines of each; a longer one is cut. */
export function leastHeight(
  detalles: LabelContent['detalles'],
  { width, most }: { width: number; most: number },
  measure: Measure,
): number {
  const details = wrapDetails(detalles, width, SMALLEST, measure);
  return sum(details.map(({ lines }) => Math.min(lines.length, most))) * lineHeight(SMALLEST);
}

/** Height of the details in the smallest size, their line breaks as commas, so that none is cut. */
export function wholeHeight(detalles: LabelContent['detalles'], width: number, measure: Measure): number {
  return leastHeight(detalles.map(inOneParagraph), { width, most: Infinity }, measure);
}

/**
 * All details in one size. If the smallest is too large, their line breaks become commas; then they are cut, the least useful
 * for the delivery first. Each keeps a line.
 * @param detalles the most useful first. @param height at least a line of the smallest size for each.
 */
export function fitDetails(
  detalles: LabelContent['detalles'],
  { width, height }: { width: number; height: number },
  measure: Measure,
): { size: number; details: Detail[] } {
  let details: Detail[] = [];
  for (const size of BODY_SIZES) {
    details = wrapDetails(detalles, width, size, measure);
    if (sum(details.map(({ lines }) => lines.length)) * lineHeight(size) <= height) return { size, details };
  }
  details = wrapDetails(detalles.map(inOneParagraph), width, SMALLEST, measure);
  const kept = linesKept(details, Math.floor(height / lineHeight(SMALLEST)));
  const widthOf: WidthOf = (text) => measure(text, { size: SMALLEST, isBold: false });
  for (const [i, detail] of details.entries()) {
    const lastWidth = kept[i] === 1 ? width - detail.indent : width;
    detail.lines = cut(detail.lines, kept[i]!, lastWidth, widthOf);
  }
  return { size: SMALLEST, details };
}

function inOneParagraph<T extends { texto: string }>(detalle: T): T {
  const lines = detalle.texto.split('\n').map((line) => line.trim());
  const [last, ...before] = lines.filter((line) => line !== '').reverse();
  const marked = before.reverse().map((line) => (/[.,;:]$/.test(line) ? line : `${line},`));
  return { ...detalle, texto: [...marked, last].join(' ') };
}

/**
 * How many lines each detail keeps, so that all together have `max`. From the last on, each gives up all lines but one.
 * Only then do the address and the reference, of which the longer one gives up a line at a time.
 */
function linesKept(details: Detail[], max: number): number[] {
  const kept = details.map(({ lines }) => lines.length);
  let extra = sum(kept) - max;
  for (let i = details.length - 1; i >= 0; i--) {
    if (details[i]!.isPlace) continue;
    const given = Math.max(0, Math.min(extra, kept[i]! - 1));
    kept[i]! -= given;
    extra -= given;
  }
  for (; extra > 0 && Math.max(...kept) > 1; extra--) kept[kept.lastIndexOf(Math.max(...kept))]!--;
  return kept;
}

function wrapDetails(
  detalles: LabelContent['detalles'],
  width: number,
  size: number,
  measure: Measure,
): Detail[] {
  const widthOf: WidthOf = (text) => measure(text, { size, isBold: false });
  return detalles.map(({ titulo, texto, isPlace }) => {
    const indent = Math.ceil(measure(`${titulo} `, { size, isBold: true }));
    return { titulo, isPlace, indent, lines: wrap(texto, width, widthOf, indent) };
  });
}
