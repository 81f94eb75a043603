import { AppError, type FieldError } from '../../platform/errors/app-error.js';
import type { CrearGuiaDto } from '../dto/crear-guia.dto.js';
import { MAX } from '../guia/limits.js';

/** Visible ASCII and spaces, as a header can carry everywhere. */
const PRINTABLE = /^[\x20-\x7e]+$/;

/**
 * The request with the `Idempotency-Key` header as its `external_ref`, where the body has none of its own. The key is
 * the same with and without the quotes that the header's draft asks for.
 * @throws AppError `validacion` for a key that is not 1 to 100 printable ASCII characters.
 */
export function withIdempotencyKey(dto: CrearGuiaDto, header: string | undefined): CrearGuiaDto {
  const key = dto.external_ref === undefined ? header && unquoted(header.trim()) : undefined;
  if (key === undefined) return dto;
  const faults = faultsOf(key);
  if (faults.length > 0) throw AppError.validation(faults);
  return Object.assign(dto, { external_ref: key });
}

/** A string of structured fields (RFC 9651), without its quotes and escapes; any other text as it is. */
function unquoted(text: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1];
  return quoted === undefined ? text : quoted.replace(/\\(.)/g, '$1').trim();
}

function faultsOf(key: string): FieldError[] {
  const fault = (codigo: FieldError['codigo'], mensaje: string) => [
    { campo: 'Idempotency-Key', codigo, mensaje },
  ];
  if (key.length > MAX.external_ref)
    return fault('demasiado_largo', `Puede tener hasta ${MAX.external_ref} caracteres.`);
  return PRINTABLE.test(key) ? [] : fault('formato', 'Use de 1 a 100 letras, cifras o signos ASCII.');
}
