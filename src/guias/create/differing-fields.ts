import type { CrearGuiaDto } from '../dto/crear-guia.dto.js';
import { unescapedText } from '../../platform/validation/html-text.js';
import { CAMPOS, COLUMN_OF } from '../guia/guia-fields.js';
import type { NewGuia } from '../guia/guia-row.js';
import type { KeptGuia } from './guia-inserts.queries.js';

/**
 * The fields of a repeated create request that differ from the existing guide, by their names in the request.
 * Only fields present in the repeat are compared, in the form in which they would be stored.
 */
export function differingFields(dto: CrearGuiaDto, nueva: NewGuia, existing: KeptGuia | NewGuia): string[] {
  return CAMPOS.filter((campo) => {
    const column = COLUMN_OF[campo];
    return column !== 'external_ref' && isPresent(dto, campo) && !isSame(nueva[column], existing[column]);
  });
}

/** Former versions kept a text as a shop had escaped it. */
function isSame(sent: unknown, kept: unknown): boolean {
  return sent === kept || (typeof kept === 'string' && unescapedText(kept, false) === sent);
}

function isPresent(dto: CrearGuiaDto, campo: string): boolean {
  const [outer = '', inner] = campo.split('.');
  // A class has no index signature.
  const value = (dto as unknown as Record<string, unknown>)[outer];
  return (inner === undefined ? value : (value as Record<string, unknown>)[inner]) !== undefined;
}
