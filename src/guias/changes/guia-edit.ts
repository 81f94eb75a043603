import type { CountryCode } from 'libphonenumber-js';
import { isFarOutside } from '../../locations/plausibility.js';
import type { EditarGuiaDto } from '../dto/editar-guia.dto.js';
import { DESTINO_ADVERTENCIAS, PHONE_ADVERTENCIAS, type GuiaAdvertencia } from '../guia-advertencia.js';
import type { GuiaDetalleRow } from '../guias.queries.js';

/** Where a guide is to go to, as the merchant now says: a point, or a link that names a place without one. */
export interface NuevoDestino {
  lat: number | null;
  lng: number | null;
  mapsUrl: string | null;
}

type Editable = Pick<
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

/** A guide's columns after an edit, and what follows from it. */
export interface Edit extends Editable {
  /** The request's fields that change something; where there are none, nothing else does either. */
  campos: string[];
  hasNewDestination: boolean;
  /** The new destination confirms an address that was not. */
  isConfirmedNow: boolean;
  hasNewPhone: boolean;
}

/** What a merchant's edit makes of a guide; decides from values alone. */
export function editGuia(
  actual: GuiaDetalleRow,
  dto: EditarGuiaDto,
  destino: NuevoDestino | undefined,
  country: CountryCode,
): Edit {
  const edit: Editable = {
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
  const campos = NAMES.filter(([, column]) => edit[column] !== actual[column]).map(([campo]) => campo);
  // The same place once more still settles what was open about it.
  const hasNewDestination =
    destino !== undefined &&
    (campos.some((campo) => PLACE.includes(campo)) ||
      !actual.direccion_confirmada ||
      actual.enlaces_pendientes.includes('destino'));
  const hasNewPhone = campos.includes('telefono');
  if (hasNewDestination) edit.advertencias = withDestination(actual.advertencias, destino, country);
  else if (hasNewPhone) edit.advertencias = without(actual.advertencias, PHONE_ADVERTENCIAS);
  return {
    ...edit,
    campos: hasNewDestination ? named(campos, dto) : campos,
    hasNewDestination,
    isConfirmedNow: hasNewDestination && !actual.direccion_confirmada,
    hasNewPhone,
  };
}

const NAMES: [campo: string, column: keyof Editable][] = [
  ['telefono', 'telefono'],
  ['direccion', 'direccion'],
  ['referencia', 'referencia'],
  ['notas', 'notas'],
  ['lat', 'destino_lat'],
  ['lng', 'destino_lng'],
  ['maps_url', 'destino_maps_url'],
];

const PLACE = ['lat', 'lng', 'maps_url'];

/** The changed fields with all that were sent of the place, also where they confirm what was there. */
function named(campos: string[], dto: EditarGuiaDto): string[] {
  const sent = PLACE.filter((campo) => (dto as Record<string, unknown>)[campo] !== undefined);
  return [...new Set([...campos, ...sent])];
}

function withDestination(advertencias: string[], { lat, lng }: NuevoDestino, country: CountryCode): string[] {
  const isFar = lat !== null && lng !== null && isFarOutside(country, { lat, lng });
  const settled = without(advertencias, DESTINO_ADVERTENCIAS);
  return isFar ? [...settled, 'destino_fuera_del_pais' satisfies GuiaAdvertencia] : settled;
}

function without(advertencias: string[], gone: readonly string[]): string[] {
  return advertencias.filter((advertencia) => !gone.includes(advertencia));
}
