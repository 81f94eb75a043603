import { normalizeText } from '../../validation/text.js';

/** An amount as people write it; a comma before two digits is a decimal comma. Undefined where it is no number. */
export function amountOf(typed = ''): number | string | undefined {
  const text = normalizeText(typed)
    ?.replace(/^[A-Z]{1,3}\$?\s*|\$/g, '')
    .replace(/,(?=\d{3}(\D|$))/g, '')
    .replace(',', '.');
  if (text === undefined) return undefined;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
