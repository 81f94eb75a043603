import type { CrearGuiaDto } from '../dto/crear-guia.dto.js';
import { unescapedText } from '../../platform/validation/html-text.js';
import type { NewGuia } from '../guia/guia-row.js';
import type { KeptGuia } from './guia-inserts.queries.js';

/** Each field of a create request, and its column. */
const COLUMNS: [campo: string, column: keyof NewGuia & keyof KeptGuia][] = [
  ['telefono', 'telefono'],
  ['departamento', 'departamento'],
  ['municipio', 'municipio'],
  ['recogida.lat', 'recogida_lat'],
  ['recogida.lng', 'recogida_lng'],
  ['recogida.maps_url', 'recogida_maps_url'],
  ['recogida.nombre', 'recogida_nombre'],
  ['recogida.direccion', 'recogida_direccion'],
  ['nombre', 'destinatario'],
  ['direccion', 'direccion'],
  ['referencia', 'referencia'],
  ['contenido', 'contenido'],
  ['notas', 'notas'],
  ['cod_amount', 'cod_amount'],
  ['lat', 'destino_lat'],
  ['lng', 'destino_lng'],
  ['maps_url', 'destino_maps_url'],
];

/**
 * The fields of a repeated create request that differ from the existing guide, by their names in the request.
 * Only fields present in the repeat are compared, in the form in which they would be stored.
 */
export function differingFields(dto: CrearGuiaDto, nueva: NewGuia, existing: KeptGuia | NewGuia): string[] {
  return COLUMNS.filter(
    ([campo, column]) => isPresent(dto, campo) && !isSame(nueva[column], existing[column]),
  ).map(([campo]) => campo);
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
