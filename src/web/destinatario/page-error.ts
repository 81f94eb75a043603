import { AppError } from '../../platform/errors/app-error.js';
import { lengthInWords } from '../../locations/distance.js';
import { readMapLinkIn } from '../../locations/map-link.js';
import type { Field } from './fault-texts.js';
import type { PageError } from './page-model.js';
import type { PageTexts } from './texts.js';

/** Whether the guide takes no answer any more. */
export function isClosed({ codigo }: AppError): boolean {
  return codigo === 'guia_no_modificable';
}

/** Whether the page is shown again, with the fault of the answer. */
export function isCorrectable(error: unknown): error is AppError {
  return error instanceof AppError && (isClosed(error) || error.errores !== undefined);
}

export function isChanged({ codigo }: AppError): boolean {
  return codigo === 'lugar_cambiado';
}

/**
 * The first error that a recipient can correct, or what they are asked, in the words of the page.
 * @param isDenial whether the recipient said that the parcel is not theirs. @param form that was posted.
 */
export function toPageError(
  error: AppError,
  { fault, change, precision }: PageTexts,
  isDenial: boolean,
  form: Record<string, string>,
): PageError {
  if (error.codigo === 'precision_baja') {
    const length = lengthInWords(Number(form.precision_m));
    return { text: precision.question(length), field: null, isPossible: true, asks: 'precision' };
  }
  if (isChanged(error)) {
    const metres = error.members?.distancia_m;
    if (metres === undefined) return { text: change.review, field: null, asks: 'change' };
    return { text: change.question(lengthInWords(metres)), field: null, isPossible: true, asks: 'change' };
  }
  if (isClosed(error)) return { text: isDenial ? fault.ended : fault.closed, field: null };
  for (const { campo, codigo } of error.errores ?? []) {
    const known = campo === 'maps_url' && lacksArea(form.maps_url ?? '') ? 'sin_zona' : codigo;
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
