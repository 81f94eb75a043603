import { normalizeText } from '../../../validation/text.js';

/** An amount as somebody types it: with the currency's sign, with commas between thousands; the text itself where it is none. */
export function typedAmount(typed = ''): number | string | undefined {
  const text = normalizeText(typed)
    ?.replace(/^[A-Z]{1,3}\$?\s*|\$/g, '')
    .replace(/,(?=\d{3}(\D|$))/g, '')
    .replace(',', '.');
  if (text === undefined) return undefined;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
