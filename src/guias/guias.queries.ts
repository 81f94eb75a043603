import type { QueryConfig } from 'pg';
import { textTypes } from '../database/text-types.js';
import type { GuiaAdvertencia } from './guia-advertencia.js';
import type { GuiaEstado } from './guia-estado.js';

/** The hot statements, prepared once on each connection. Column lists are the answers' own fields. */

/** A guide's row as sent: numbers as numbers, timestamps as ISO 8601 text made without `Date`. */
export interface GuiaRow {
  guia: string;
  id: string;
  external_ref: string | null;
  estado: GuiaEstado;
  destinatario: string;
  telefono: string;
  direccion: string;
  departamento: string;
  municipio: string;
  referencia: string | null;
  contenido: string;
  notas: string | null;
  cod_amount: number;
  direccion_confirmada: boolean;
  creada_en: string;
  actualizada_en: string;
}

/** What only the detail shows. */
export interface GuiaDetalleRow extends GuiaRow {
  advertencias: string[];
  destino_lat: number | null;
  destino_lng: number | null;
  destino_maps_url: string | null;
  recogida_lat: number | null;
  recogida_lng: number | null;
  recogida_maps_url: string | null;
  recogida_nombre: string | null;
  recogida_direccion: string | null;
  /** Counts its changes. */
  version: number;
  /** Places whose map link is still to be asked about. */
  enlaces_pendientes: Lugar[];
}

/** The places of a guide that a map link may stand for. */
export type Lugar = 'recogida' | 'destino';

/** A guide to be written; state and times follow from the statement. */
export type NuevaGuia = Omit<
  GuiaDetalleRow,
  'id' | 'guia' | 'estado' | 'creada_en' | 'actualizada_en' | 'version'
> & { advertencias: GuiaAdvertencia[] };

/** The columns of a `GuiaRow`. */
export const LISTED = `guia, id, external_ref, estado, destinatario, telefono, direccion, departamento, municipio, referencia,
  contenido, notas, cod_amount, direccion_confirmada, creada_en, actualizada_en`;

/** Columns of the detail. */
export const DETAILED = `${LISTED}, advertencias, destino_lat, destino_lng, destino_maps_url,
  recogida_lat, recogida_lng, recogida_maps_url, recogida_nombre, recogida_direccion, version, enlaces_pendientes`;

/** Whether an endpoint of the merchant wants to be told of new guides. */
const SOMEONE_LISTENS = `exists (select from webhooks where comercio_id = $1 and eliminado_en is null
    and 'guia.creada' = any (eventos))`;

const INSERT = `with nueva as (
  insert into guias (comercio_id, id, guia, estado, creada_en, actualizada_en, external_ref, destinatario, telefono,
    direccion, departamento, municipio, referencia, contenido, notas, cod_amount, direccion_confirmada,
    destino_lat, destino_lng, destino_maps_url,
    recogida_lat, recogida_lng, recogida_maps_url, recogida_nombre, recogida_direccion, advertencias, enlaces_pendientes)
  values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
    $27, $28)
  on conflict on constraint guias_external_ref_key do nothing
  returning comercio_id, id, creada_en
), evento as (
  insert into eventos (comercio_id, guia_id, id, tipo, creado_en, despachado_en)
  select comercio_id, id, $25::uuid, 'guia.creada', creada_en, case when not ($26::boolean or ${SOMEONE_LISTENS}) then creada_en end
  from nueva
  returning despachado_en is null as por_despachar
)
select por_despachar from evento`;

/** Whether something is left to find out about a new guide: where it goes to, or what a link stands for. */
function isPending({ direccion_confirmada, enlaces_pendientes }: NuevaGuia): boolean {
  return !direccion_confirmada || enlaces_pendientes.length > 0;
}

/**
 * Guide and event in one statement and one round trip. The event is born dispatched only where nothing is left
 * to find out and nobody is to be told; `por_despachar` says so. No row comes back where the merchant already has
 * a guide with this external_ref.
 */
export function insertGuia(
  comercioId: string,
  keys: { id: string; guia: string; estado: GuiaEstado; creadaEn: string; eventoId: string },
  nueva: NuevaGuia,
): QueryConfig {
  return {
    name: 'guia-insert',
    text: INSERT,
    values: [
      comercioId,
      keys.id,
      keys.guia,
      keys.estado,
      keys.creadaEn,
      nueva.external_ref,
      nueva.destinatario,
      nueva.telefono,
      nueva.direccion,
      nueva.departamento,
      nueva.municipio,
      nueva.referencia,
      nueva.contenido,
      nueva.notas,
      nueva.cod_amount,
      nueva.direccion_confirmada,
      nueva.destino_lat,
      nueva.destino_lng,
      nueva.destino_maps_url,
      nueva.recogida_lat,
      nueva.recogida_lng,
      nueva.recogida_maps_url,
      nueva.recogida_nombre,
      nueva.recogida_direccion,
      keys.eventoId,
      isPending(nueva),
      nueva.advertencias,
      nueva.enlaces_pendientes,
    ],
  };
}

const BY = {
  id: { name: 'guia-by-id', text: `select ${DETAILED} from guias where comercio_id = $1 and id = $2` },
  guia: { name: 'guia-by-guia', text: `select ${DETAILED} from guias where guia = $2 and comercio_id = $1` },
  external_ref: {
    name: 'guia-by-ref',
    text: `select ${DETAILED} from guias where comercio_id = $1 and external_ref = $2`,
  },
};

/** One guide of a merchant, with everything the detail shows. */
export function findGuia(comercioId: string, by: keyof typeof BY, value: string): QueryConfig {
  return { ...BY[by], values: [comercioId, value], types: textTypes };
}
