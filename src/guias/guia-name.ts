import { isUuid } from '../database/row-id.js';
import { AppError } from '../errors/app-error.js';
import { isGuiaNumero } from './create/guia-numero.js';

/** What a path names a guide by. @throws AppError `no_encontrado` where it can be neither. */
export function namedBy(idOrGuia: string): 'id' | 'guia' {
  if (isUuid(idOrGuia)) return 'id';
  if (isGuiaNumero(idOrGuia)) return 'guia';
  throw noSuchGuia();
}

/** The answer to a guide that does not exist, or is another merchant's. */
export function noSuchGuia(): AppError {
  return new AppError('no_encontrado', { detail: 'No existe una guía con ese `id` o número.' });
}
