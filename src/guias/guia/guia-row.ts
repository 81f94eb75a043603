import type { GuiaAdvertencia } from './guia-advertencia.js';
import type { GuiaEstado } from './guia-estado.js';
import type { MensajeEstado } from './mensaje-estado.js';
import type { Pago } from './pago.js';

/** A guide as a list shows it. Times are ISO 8601, made from PostgreSQL's text without `Date`. */
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

/** A guide with the columns that only the detail shows. */
export interface GuiaDetalleRow extends GuiaRow {
  /** ISO 4217. */
  moneda: string;
  /** Collected on delivery; null until it is known. */
  cod_cobrado: number | null;
  /** How that was paid; null where nothing was due, or is not delivered. */
  pago: Pago | null;
  advertencias: string[];
  destino_lat: number | null;
  destino_lng: number | null;
  destino_maps_url: string | null;
  recogida_lat: number | null;
  recogida_lng: number | null;
  recogida_maps_url: string | null;
  recogida_nombre: string | null;
  recogida_direccion: string | null;
  /** Counts the changes. */
  version: number;
  /** Places whose map link has not been expanded yet. */
  enlaces_pendientes: Lugar[];
  /** `secuencia` of the event that last changed the phone; null if it never changed. */
  telefono_secuencia: number | null;
}

/** The last message that asks for a guide's place, as its merchant reads it. */
export interface MensajeRow {
  estado: MensajeEstado;
  intentos: number;
  /** ISO 8601; null where no try is to come. */
  proximo_intento_en: string | null;
  /** In Spanish, without phone numbers. */
  causa: string | null;
}

/** A guide as its merchant reads it. */
export interface GuiaDelComercioRow extends GuiaDetalleRow {
  /** Null if nobody was asked. */
  mensaje: MensajeRow | null;
  /** When its label was last printed; null if it never was. */
  impresa_en: string | null;
}

/** The places of a guide. */
export const LUGARES = ['recogida', 'destino'] as const;
export type Lugar = (typeof LUGARES)[number];

/** A guide to be inserted, without what the server assigns. */
export type NewGuia = Omit<
  GuiaDetalleRow,
  | 'id'
  | 'guia'
  | 'estado'
  | 'creada_en'
  | 'actualizada_en'
  | 'version'
  | 'telefono_secuencia'
  | 'moneda'
  | 'cod_cobrado'
  | 'pago'
> & { advertencias: GuiaAdvertencia[] };

/** The columns of a `GuiaRow`. */
export const LISTED = [
  'guia',
  'id',
  'external_ref',
  'estado',
  'destinatario',
  'telefono',
  'direccion',
  'departamento',
  'municipio',
  'referencia',
  'contenido',
  'notas',
  'cod_amount',
  'direccion_confirmada',
  'creada_en',
  'actualizada_en',
] as const satisfies (keyof GuiaRow)[];

/** The columns of a `GuiaDetalleRow` that are the guide's own. */
export const DETAIL_COLUMNS = [
  ...LISTED,
  'advertencias',
  'destino_lat',
  'destino_lng',
  'destino_maps_url',
  'recogida_lat',
  'recogida_lng',
  'recogida_maps_url',
  'recogida_nombre',
  'recogida_direccion',
  'version',
  'enlaces_pendientes',
  'telefono_secuencia',
] as const satisfies (keyof GuiaDetalleRow)[];

/** SQL of the currency of a guide's amounts. @param guias alias of the table. */
export const monedaOf = (guias: string) =>
  `(select moneda from comercios where comercios.id = ${guias}.comercio_id) as moneda`;

/** SQL of what was collected of a delivered guide, and how. @param guias alias of the table. */
export const cobroOf = (guias: string) =>
  (['cod_cobrado', 'pago'] satisfies (keyof GuiaDetalleRow)[])
    .map(
      (column) => `(select ${column} from cobros
  where cobros.comercio_id = ${guias}.comercio_id and cobros.guia_id = ${guias}.id
    and ${guias}.estado = 'entregado') as ${column}`,
    )
    .join(', ');

/** SQL of the columns of a `GuiaDetalleRow`, of a row of `guias`. */
export const DETAILED = [...DETAIL_COLUMNS, monedaOf('guias'), cobroOf('guias')].join(', ');
