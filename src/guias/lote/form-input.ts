import type { FieldError } from '../../platform/errors/app-error.js';
import { cellFault, cellText, cellValue } from './csv-cells.js';
import { put } from './csv-rows.js';

/** Of a form there is no separator: numbers may have a decimal comma. */
const SEPARATOR = ';';

/**
 * The texts of a form as a request, by the rules of the cells of a file: `recogida.lat` becomes `lat` of `recogida`, and
 * amounts and coordinates become numbers.
 * @param cleared fields whose empty text is kept, as it removes a stored value; any other empty text counts as absent.
 */
export function toFormInput(
  texts: Partial<Record<string, string>>,
  cleared: readonly string[] = [],
): { input: Record<string, unknown>; faults: FieldError[] } {
  const input: Record<string, unknown> = {};
  const faults: FieldError[] = [];
  for (const [campo, typed = ''] of Object.entries(texts)) {
    const text = cellText(typed);
    if (text === undefined) {
      if (cleared.includes(campo)) put(input, campo, '');
      continue;
    }
    const fault = cellFault(campo, text, SEPARATOR);
    if (fault) faults.push(fault);
    put(input, campo, cellValue(campo, text, SEPARATOR));
  }
  return { input, faults };
}

/** The faults of how texts are written, and of what they say: of each field the first. */
export function allFaults(faults: FieldError[], errors: FieldError[]): FieldError[] {
  const named = new Set(faults.map(({ campo }) => campo));
  return [...faults, ...errors.filter(({ campo }) => !named.has(campo))];
}
