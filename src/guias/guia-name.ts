import { isUuid } from '../database/row-id.js';
import { AppError } from '../errors/app-error.js';
import { isGuiaNumero } from './create/guia-numero.js';

/**
 * Whether a path parameter is a guide's id or its number.
 * @throws AppError `no_encontrado` if it is neither.
 */
export function namedBy(idOrGuia: string): 'id' | 'guia' {
  if (isUuid(idOrGuia)) return 'id';
  if (isGuiaNumero(idOrGuia)) return 'guia';
  throw noSuchGuia();
}

/** The error for a guide that does not exist or belongs to another merchant. */
export function noSuchGuia(): AppError {
  return new AppError('no_encontrado', { detail: 'No existe una guía con ese `id` o número.' });
}
