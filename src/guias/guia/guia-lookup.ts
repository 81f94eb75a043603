import { isUuid } from '../../platform/database/row-id.js';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { AppError } from '../../platform/errors/app-error.js';
import { isGuiaNumero } from './guia-digits.js';

/**
 * The column that finds a guide by a path parameter, which is its id or its number.
 * @throws AppError `no_encontrado` if it is neither.
 */
export function lookupColumnOf(idOrGuia: string): 'id' | 'guia' {
  if (isUuid(idOrGuia)) return 'id';
  if (isGuiaNumero(idOrGuia)) return 'guia';
  throw noSuchGuia();
}

/**
 * SQL condition: real guides alone, or tests alone. The indexes by id and by place, which hold the guides of all merchants,
 * have the same condition.
 * @param guias alias of the table, where there is one.
 */
export function whereMode(isTest: boolean, guias?: string): string {
  return `${isTest ? '' : 'not '}${guias === undefined ? '' : `${guias}.`}de_prueba`;
}

/** The error for a guide that does not exist or belongs to another merchant. */
export function noSuchGuia(): AppError {
  return new AppError('no_encontrado', { detail: 'No existe una guía con ese `id` o número.' });
}

/** The error for a guide that the merchant has in the other mode. */
export function guiaOfOtherMode({ isTest }: Pick<Merchant, 'isTest'>): AppError {
  return new AppError('no_encontrado', {
    detail: isTest
      ? 'La guía es real y su clave es de prueba. Use su clave real, que empieza con `gk_live_`.'
      : 'La guía es de prueba y su clave es real. Use su clave de prueba, que empieza con `gk_test_`.',
  });
}
