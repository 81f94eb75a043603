import type { LabelContent } from './label-content.js';
import type { Measure } from './marks.js';
import { cut, lineHeight, wrap, type WidthOf } from './text-fit.js';

/** The smallest is 2 mm: capitals of 1.5 mm. */
const BODY_SIZES = [32, 28, 26, 24, 22, 20, 18, 16];

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
export function fitDetails(
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
