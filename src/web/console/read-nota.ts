import { AppError } from '../../platform/errors/app-error.js';
import { hasForbiddenCharacter, isLongerThan, normalizeText } from '../../platform/validation/text.js';

/** Characters of a note of support's. */
export const MAX_NOTA = 1_000;

/** @throws AppError `validacion` */
export function readNota(typed = ''): string {
  const text = normalizeText(typed);
  if (text === undefined) throw new AppError('validacion', { detail: 'Escriba la nota.' });
  if (isLongerThan(text, MAX_NOTA) || hasForbiddenCharacter(text, true))
    throw new AppError('validacion', {
      detail: `La nota puede tener hasta ${MAX_NOTA} caracteres, sin caracteres de control.`,
    });
  return text;
}
