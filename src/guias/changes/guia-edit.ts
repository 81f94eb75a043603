import type { CountryCode } from 'libphonenumber-js';
import { isFarOutside } from '../../locations/plausibility.js';
import type { EditarGuiaDto } from '../dto/editar-guia.dto.js';
import { DESTINO_ADVERTENCIAS, PHONE_ADVERTENCIAS, type GuiaAdvertencia } from '../guia-advertencia.js';
import type { GuiaDetalleRow, Lugar } from '../guia-row.js';
import type { EditableCampo } from './editable-fields.js';

/** The destination in an edit: a point, or a link whose coordinates are not known. */
export interface Destino {
  lat: number | null;
  lng: number | null;
  mapsUrl: string | null;
  /** Whether its map service did not answer, so that the link is expanded later. */
  isPending: boolean;
}

/** The columns an edit may change, with their types. */
export const EDITED = {
  telefono: 'text',
  destinatario: 'text',
  departamento: 'text',
  municipio: 'text',
  direccion: 'text',
  referencia: 'text',
  contenido: 'text',
  notas: 'text',
  cod_amount: 'numeric',
  destino_lat: 'float8',
  destino_lng: 'float8',
  destino_maps_url: 'text',
  direccion_confirmada: 'boolean',
  enlaces_pendientes: 'text[]',
  advertencias: 'text[]',
} satisfies Partial<Record<keyof GuiaDetalleRow, string>>;

type EditableRow = Pick<GuiaDetalleRow, keyof typeof EDITED>;

export interface Edit {
  /** The columns after the edit. */
  row: EditableRow;
  /** The request's fields that change something; without any, the edit changes nothing. */
  campos: EditableCampo[];
  hasNewDestination: boolean;
  /** Whether the new destination is a link that is expanded later. */
  hasNewPendingLink: boolean;
  /** Whether the new destination confirms an unconfirmed address. */
  isNewlyConfirmed: boolean;
  hasNewPhone: boolean;
}

const COLUMN_OF_CAMPO = {
  telefono: 'telefono',
  nombre: 'destinatario',
  departamento: 'departamento',
  municipio: 'municipio',
  direccion: 'direccion',
  referencia: 'referencia',
  contenido: 'contenido',
  notas: 'notas',
  cod_amount: 'cod_amount',
  lat: 'destino_lat',
  lng: 'destino_lng',
  maps_url: 'destino_maps_url',
} as const satisfies Record<EditableCampo, keyof EditableRow>;

const CAMPOS = Object.keys(COLUMN_OF_CAMPO) as EditableCampo[];

const PLACE_CAMPOS = ['lat', 'lng', 'maps_url'] as const;

/** Applies a merchant's edit to a guide; a pure function. */
export function editGuia(
  actual: GuiaDetalleRow,
  dto: EditarGuiaDto,
  sentDestino: Destino | undefined,
  country: CountryCode,
): Edit {
  const destino = sentDestino && isKept(sentDestino, actual) ? undefined : sentDestino;
  const row: EditableRow = {
    telefono: dto.telefono ?? actual.telefono,
    destinatario: textOr(actual.destinatario, dto.nombre),
    departamento: dto.departamento ?? actual.departamento,
    municipio: dto.municipio ?? actual.municipio,
    direccion: textOr(actual.direccion, dto.direccion),
    referencia: dto.referencia === undefined ? actual.referencia : dto.referencia,
    contenido: textOr(actual.contenido, dto.contenido),
    notas: dto.notas === undefined ? actual.notas : dto.notas,
    cod_amount: dto.cod_amount ?? actual.cod_amount,
    destino_lat: destino ? destino.lat : actual.destino_lat,
    destino_lng: destino ? destino.lng : actual.destino_lng,
    destino_maps_url: destino ? destino.mapsUrl : actual.destino_maps_url,
    direccion_confirmada: destino ? true : actual.direccion_confirmada,
    enlaces_pendientes: destino
      ? pendingAfter(actual.enlaces_pendientes, destino)
      : actual.enlaces_pendientes,
    advertencias: actual.advertencias,
  };
  const changed = CAMPOS.filter((campo) => row[COLUMN_OF_CAMPO[campo]] !== actual[COLUMN_OF_CAMPO[campo]]);
  // Sending the same place again still confirms it, and replaces a pending link.
  const hasNewDestination =
    destino !== undefined &&
    (changed.some((campo) => PLACE_CAMPOS.some((name) => name === campo)) ||
      !actual.direccion_confirmada ||
      actual.enlaces_pendientes.includes('destino'));
  const hasNewPhone = changed.includes('telefono');
  if (hasNewDestination) row.advertencias = advertenciasAfter(row.advertencias, destino, country);
  if (hasNewPhone) row.advertencias = without(row.advertencias, PHONE_ADVERTENCIAS);
  // A new destination lists every place field sent, even if it repeats the stored value.
  const sent = PLACE_CAMPOS.filter((campo) => hasNewDestination && dto[campo] !== undefined);
  return {
    row,
    campos: [...new Set([...changed, ...sent])],
    hasNewDestination,
    hasNewPendingLink: hasNewDestination && destino.isPending,
    isNewlyConfirmed: hasNewDestination && !actual.direccion_confirmada,
    hasNewPhone,
  };
}

/**
 * Whether a link that got no answer is the guide's own: one that is still being expanded, or whose place the guide has. It
 * changes nothing.
 */
function isKept({ isPending, mapsUrl }: Destino, actual: GuiaDetalleRow): boolean {
  const isKnown = actual.direccion_confirmada || actual.enlaces_pendientes.includes('destino');
  return isPending && isKnown && mapsUrl === actual.destino_maps_url;
}

function pendingAfter(pendientes: readonly Lugar[], { isPending }: Destino): Lugar[] {
  const others = pendientes.filter((lugar) => lugar !== 'destino');
  return isPending ? [...others, 'destino'] : others;
}

/** The text that was sent, empty for null; the kept one if none was sent. */
function textOr(kept: string, sent: string | null | undefined): string {
  return sent === undefined ? kept : (sent ?? '');
}

function advertenciasAfter(advertencias: string[], { lat, lng }: Destino, country: CountryCode): string[] {
  const isFar = lat !== null && lng !== null && isFarOutside(country, { lat, lng });
  const settled = without(advertencias, DESTINO_ADVERTENCIAS);
  return isFar ? [...settled, 'destino_fuera_del_pais' satisfies GuiaAdvertencia] : settled;
}

function without(advertencias: string[], settled: readonly string[]): string[] {
  return advertencias.filter((advertencia) => !settled.includes(advertencia));
}
