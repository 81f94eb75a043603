import { AppError } from '../../errors/app-error.js';
import { readMapLinkIn } from '../../locations/map-link.js';
import type { Field } from './field.js';
import type { PageError } from './page-model.js';
import type { PageTexts } from './texts.es.js';

/** Whether the guide takes no answer any more. */
export function isClosed({ codigo }: AppError): boolean {
  return codigo === 'guia_no_modificable';
}

/** Whether the page is shown again, with the fault of the answer. */
export function isCorrectable(error: unknown): error is AppError {
  return error instanceof AppError && (isClosed(error) || error.errores !== undefined);
}

/**
 * The first error that a recipient can correct, in the words of the page.
 * @param isDenial whether the recipient said that the parcel is not theirs. @param link that was pasted.
 */
export function toPageError(error: AppError, { fault }: PageTexts, isDenial: boolean, link = ''): PageError {
  if (isClosed(error)) return { text: isDenial ? fault.ended : fault.closed, field: null };
  for (const { campo, codigo } of error.errores ?? []) {
    const known = campo === 'maps_url' && lacksArea(link) ? 'sin_zona' : codigo;
    const text = Object.hasOwn(fault.of, campo) ? fault.of[campo as Field][known] : undefined;
    if (text !== undefined) return { text, field: campo as Field };
  }
  return { text: fault.unreadable, field: null };
}

/** Whether a pasted text is a plus code without its area. */
function lacksArea(text: string): boolean {
  const link = readMapLinkIn(text);
  return 'reason' in link && link.reason === 'short_code';
}
