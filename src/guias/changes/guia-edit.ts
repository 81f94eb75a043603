import type { CountryCode } from 'libphonenumber-js';
import { isFarOutside } from '../../locations/plausibility.js';
import type { EditarGuiaDto } from '../dto/editar-guia.dto.js';
import { DESTINO_ADVERTENCIAS, PHONE_ADVERTENCIAS, type GuiaAdvertencia } from '../guia-advertencia.js';
import type { GuiaDetalleRow } from '../guias.queries.js';

/** The destination in an edit: a point, or a link that names a place without coordinates. */
export interface Destino {
  lat: number | null;
  lng: number | null;
  mapsUrl: string | null;
}

/** The columns an edit may change. */
type EditableRow = Pick<
  GuiaDetalleRow,
  | 'telefono'
  | 'direccion'
  | 'referencia'
  | 'notas'
  | 'destino_lat'
  | 'destino_lng'
  | 'destino_maps_url'
  | 'direccion_confirmada'
  | 'enlaces_pendientes'
  | 'advertencias'
>;

export interface Edit {
  /** The columns after the edit. */
  row: EditableRow;
  /** The request's fields that change something; without any, the edit changes nothing. */
  campos: string[];
  hasNewDestination: boolean;
  /** The new destination confirms an unconfirmed address. */
  isNewlyConfirmed: boolean;
  hasNewPhone: boolean;
}

const COLUMN_OF_CAMPO: [campo: string, column: keyof EditableRow][] = [
  ['telefono', 'telefono'],
  ['direccion', 'direccion'],
  ['referencia', 'referencia'],
  ['notas', 'notas'],
  ['lat', 'destino_lat'],
  ['lng', 'destino_lng'],
  ['maps_url', 'destino_maps_url'],
];

const PLACE_CAMPOS = ['lat', 'lng', 'maps_url'] as const;

/** Applies a merchant's edit to a guide; decides from values alone. */
export function editGuia(
  actual: GuiaDetalleRow,
  dto: EditarGuiaDto,
  destino: Destino | undefined,
  country: CountryCode,
): Edit {
  const row: EditableRow = {
    telefono: dto.telefono ?? actual.telefono,
    direccion: dto.direccion === undefined ? actual.direccion : (dto.direccion ?? ''),
    referencia: dto.referencia === undefined ? actual.referencia : dto.referencia,
    notas: dto.notas === undefined ? actual.notas : dto.notas,
    destino_lat: destino ? destino.lat : actual.destino_lat,
    destino_lng: destino ? destino.lng : actual.destino_lng,
    destino_maps_url: destino ? destino.mapsUrl : actual.destino_maps_url,
    direccion_confirmada: destino ? true : actual.direccion_confirmada,
    enlaces_pendientes: destino
      ? actual.enlaces_pendientes.filter((lugar) => lugar !== 'destino')
      : actual.enlaces_pendientes,
    advertencias: actual.advertencias,
  };
  const changed = COLUMN_OF_CAMPO.filter(([, column]) => row[column] !== actual[column]).map(
    ([campo]) => campo,
  );
  // Sending the same place again still confirms it, and settles a link that is being resolved.
  const hasNewDestination =
    destino !== undefined &&
    (changed.some((campo) => PLACE_CAMPOS.some((name) => name === campo)) ||
      !actual.direccion_confirmada ||
      actual.enlaces_pendientes.includes('destino'));
  const hasNewPhone = changed.includes('telefono');
  if (hasNewDestination) row.advertencias = advertenciasAfter(actual.advertencias, destino, country);
  else if (hasNewPhone) row.advertencias = without(actual.advertencias, PHONE_ADVERTENCIAS);
  // A new destination lists every place field that was sent, also those that repeat the stored value.
  const sent = PLACE_CAMPOS.filter((campo) => hasNewDestination && dto[campo] !== undefined);
  return {
    row,
    campos: [...new Set([...changed, ...sent])],
    hasNewDestination,
    isNewlyConfirmed: hasNewDestination && !actual.direccion_confirmada,
    hasNewPhone,
  };
}

function advertenciasAfter(advertencias: string[], { lat, lng }: Destino, country: CountryCode): string[] {
  const isFar = lat !== null && lng !== null && isFarOutside(country, { lat, lng });
  const settled = without(advertencias, DESTINO_ADVERTENCIAS);
  return isFar ? [...settled, 'destino_fuera_del_pais' satisfies GuiaAdvertencia] : settled;
}

function without(advertencias: string[], settled: readonly string[]): string[] {
  return advertencias.filter((advertencia) => !settled.includes(advertencia));
}
