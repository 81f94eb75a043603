import { AppError, type FieldError } from '../../errors/app-error.js';
import type { CrearGuiaDto } from '../dto/crear-guia.dto.js';
import { MAX } from '../limits.js';

/** Visible ASCII and spaces, as a header can carry everywhere. */
const PRINTABLE = /^[\x20-\x7e]+$/;

/**
 * The request with the `Idempotency-Key` header as its `external_ref`, where the body has none of its own.
 * @throws AppError `validacion` for a key that is not 1 to 100 printable ASCII characters.
 */
export function withIdempotencyKey(dto: CrearGuiaDto, header: string | undefined): CrearGuiaDto {
  if (header === undefined || dto.external_ref !== undefined) return dto;
  const key = header.trim();
  if (key.length > MAX.external_ref)
    throw invalid('demasiado_largo', `Puede tener hasta ${MAX.external_ref} caracteres.`);
  if (!PRINTABLE.test(key)) throw invalid('formato', 'Use de 1 a 100 letras, cifras o signos ASCII.');
  return Object.assign(dto, { external_ref: key });
}

function invalid(codigo: FieldError['codigo'], mensaje: string): AppError {
  return AppError.validation([{ campo: 'Idempotency-Key', codigo, mensaje }]);
}
