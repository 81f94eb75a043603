import { normalizeText } from '../../../platform/validation/text.js';

/**
 * As people write it; a comma before two digits is a decimal comma. Undefined where nothing was typed, the text where it is no
 * number, or may be two: 12.500 is 12,500 in many countries.
 */
export function typedAmount(typed = ''): number | string | undefined {
  const text = normalizeText(typed)
    ?.replace(/^[A-Z]{1,3}\$?\s*|\$/g, '')
    .replace(/,(?=\d{3}(\D|$))/g, '')
    .replace(',', '.');
  if (text === undefined) return undefined;
  return /^-?\d+(\.\d{1,2})?$/.test(text) ? Number(text) : text;
}
