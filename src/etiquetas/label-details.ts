import type { LabelContent } from './label-content.js';
import type { Measure } from './marks.js';
import { cut, lineHeight, SMALLEST, wrap, type WidthOf } from './text-fit.js';

/** Largest first; a label of 100 × 100 mm rarely has room for the largest. */
const BODY_SIZES = [36, 32, 28, 26, 24, 22, SMALLEST];

interface Detail {
  titulo: string;
  lines: string[];
  /** Where the first line begins, after the title. */
  indent: number;
}

/** What the details need at least: a line of the smallest size for each. */
export function leastHeight(detalles: LabelContent['detalles']): number {
  return detalles.length * lineHeight(SMALLEST);
}

/**
 * All details in one size. If the smallest is too large, the longest of them is cut, line by line. Each keeps a line.
 * @param height at least `leastHeight`.
 */
export function fitDetails(
  detalles: LabelContent['detalles'],
  { width, height }: { width: number; height: number },
  measure: Measure,
): { size: number; details: Detail[] } {
  let fitted: { size: number; details: Detail[] } = { size: 0, details: [] };
  for (const size of BODY_SIZES) {
    const details = wrapDetails(detalles, width, size, measure);
    fitted = { size, details };
    if (countLines(details) * lineHeight(size) <= height) return fitted;
  }
  const max = Math.floor(height / lineHeight(fitted.size));
  const widthOf: WidthOf = (text) => measure(text, { size: fitted.size, isBold: false });
  for (let extra = countLines(fitted.details) - max; extra > 0; extra--) {
    const longest = fitted.details.reduce((a, b) => (b.lines.length >= a.lines.length ? b : a));
    const kept = longest.lines.length - 1;
    longest.lines = cut(longest.lines, kept, kept === 1 ? width - longest.indent : width, widthOf);
  }
  return fitted;
}

function wrapDetails(
  detalles: LabelContent['detalles'],
  width: number,
  size: number,
  measure: Measure,
): Detail[] {
  const widthOf: WidthOf = (text) => measure(text, { size, isBold: false });
  return detalles.map(({ titulo, texto }) => {
    const indent = Math.ceil(measure(`${titulo} `, { size, isBold: true }));
    return { titulo, indent, lines: wrap(texto, width, widthOf, indent) };
  });
}

const countLines = (details: Detail[]) => details.reduce((sum, { lines }) => sum + lines.length, 0);
