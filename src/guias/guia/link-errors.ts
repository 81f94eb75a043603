import type { MapLink } from '../../locations/reading.js';
import { AppError, type FieldError } from '../../platform/errors/app-error.js';
import { ERRORS } from '../../platform/errors/error-codes.js';

/** Why a map link cannot be used. */
type LinkErrorCode = 'enlace_no_soportado' | 'enlace_sin_coordenadas' | 'enlace_roto';

export type LinkError = FieldError & { codigo: LinkErrorCode };

/** The error of a link that cannot be used; `campo` is the request's name of its field. */
export function linkError(
  campo: string,
  codigo: LinkErrorCode,
  mensaje: string = ERRORS[codigo].detail,
): LinkError {
  return { campo, codigo, mensaje };
}

/** For a short link that leads to another site, to impossible coordinates, or round in circles. */
export const LEADS_NOWHERE =
  'El enlace corto no lleva a un lugar de un servicio de mapas conocido. Comparta otra vez el pin, o envíe `lat` y `lng`.';

/** Why a link of a map service shows no place, and what to do about it. */
export const NO_POINT: Record<Extract<MapLink, { kind: 'unknown' }>['reason'], string> = {
  form: 'Ese enlace abre el mapa, pero no se lee en él ningún lugar. Comparta el pin del lugar, o envíe `lat` y `lng`.',
  far: 'Ese enlace muestra una zona entera, no un lugar. Comparta el pin del lugar, o envíe `lat` y `lng`.',
  short_code:
    'Al código plus le falta su zona. Envíelo completo, con las cuatro letras o cifras que van antes (`765CWVRM+9F`), o envíe `lat` y `lng`.',
};

/** The refusal of a request because of its links, one or more; the first one decides its code. */
export function refusedLinks(errores: LinkError[]): AppError {
  return new AppError(errores[0]!.codigo, { detail: errores[0]!.mensaje, errores });
}
