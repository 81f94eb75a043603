import { isTwoAmounts, toNumber } from '../../../../guias/lote/csv-cells.js';

export { isTwoAmounts };

/** Signs of thousands and millions after a number, and words of the street for them. */
const SCALES: [scale: RegExp, factor: number, isSlang: boolean][] = [
  [/^ ?(?:mil|miles|k)(?![a-z\d])/, 1_000, false],
  [/^ ?(?:millon|millones|mill)(?![a-z\d])/, 1_000_000, false],
  [/^ ?lucas?(?![a-z\d])/, 1_000, true],
  [/^ ?(?:m|mm|palos?|melones)(?![a-z\d])/, 1_000_000, true],
];

/** What multiplies a number. */
export interface Scale {
  factor: number;
  length: number;
  /** Whether it may be meant in another way. */
  isSlang: boolean;
}

/** The scale that a text begins with: ` mil` of `25 mil`. @param after folded. */
export function scaleAfter(after: string): Scale | undefined {
  for (const [scale, factor, isSlang] of SCALES) {
    const length = scale.exec(after)?.[0].length;
    if (length !== undefined) return { factor, length, isSlang };
  }
  return undefined;
}

/** In groups of three digits: `1'200.000`, `1.200.000,50`, `1 200 000`. One group alone may be decimals. */
const GROUPED = /^\d{1,3}(?:[.,'’‘´`\s]\d{3})+(?:[.,]\d{1,2})?$/;

/** An amount has two decimals at most. */
const PLAIN = /^\d+(?:[.,]\d{1,2})?$/;

/** The number of a written amount; three digits after a mark are thousands. Undefined where it is not understood. */
export function numberOf(text: string, factor = 1): number | undefined {
  // `1.200 millones` may be either.
  if (factor > 1 && isTwoAmounts(text)) return undefined;
  const isGrouped = GROUPED.test(text) && !/^0/.test(text);
  if (!isGrouped && !PLAIN.test(text)) return undefined;
  const [, whole, decimals = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(text)!;
  const value = toNumber(`${whole!.replace(/\D/g, '')}${decimals && `.${decimals}`}`, ',');
  return value === undefined ? undefined : Math.round(100 * value * factor) / 100;
}
