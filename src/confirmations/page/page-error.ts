import type { AppError } from '../../errors/app-error.js';
import type { PageError } from './page-model.js';
import type { Field, PageTexts } from './texts.es.js';

/**
 * The first error that a recipient can correct, in the words of the page.
 * @param isDenial whether the recipient said that the parcel is not theirs.
 */
export function toPageError(
  { codigo: code, errores = [] }: AppError,
  { fault }: PageTexts,
  isDenial: boolean,
): PageError {
  if (code === 'guia_no_modificable') return { text: isDenial ? fault.ended : fault.closed, field: null };
  for (const { campo, codigo } of errores) {
    const text = Object.hasOwn(fault.of, campo) ? fault.of[campo as Field][codigo] : undefined;
    if (text !== undefined) return { text, field: campo as Field };
  }
  return { text: fault.unreadable, field: null };
}
