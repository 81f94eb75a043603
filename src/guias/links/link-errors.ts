import { AppError, type FieldError } from '../../errors/app-error.js';
import { ERRORS } from '../../errors/error-codes.js';

/** Why a map link cannot be used. */
type LinkErrorCode = 'enlace_no_soportado' | 'enlace_sin_coordenadas' | 'enlace_roto';

export type LinkError = FieldError & { codigo: LinkErrorCode };

/** The error of a link that cannot be used; `campo` is the request's name of its field. */
export function linkError(campo: string, codigo: LinkErrorCode): LinkError {
  return { campo, codigo, mensaje: ERRORS[codigo].detail };
}

/** The refusal of a request because of its links, one or more; the first one decides its code. */
export function refusedLinks(errores: LinkError[]): AppError {
  return new AppError(errores[0]!.codigo, { errores });
}
