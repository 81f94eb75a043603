import type { GuiaAdvertencia } from './guia-advertencia.js';
import { TEXTOS } from './guia-fields.js';
import type { Guia } from './guia.entity.js';
import type { MensajeEstado } from './mensaje-estado.js';
import type { Pago } from './pago.js';

/** Columns of a guide as statements return them: times are ISO 8601, made from PostgreSQL's text without `Date`. */
export type GuiaColumnsRead<Column extends keyof Guia> = {
  [C in Column]: C extends 'cod_amount' ? number : Guia[C] extends Date | null ? Iso<Guia[C]> : Guia[C];
};
type Iso<T> = string | Exclude<T, Date>;

/** The columns of a guide in a list, in the order of its answer. */
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
  ...TEXTOS,
  'cod_amount',
  'direccion_confirmada',
  'creada_en',
  'actualizada_en',
] as const;

/** The columns that the detail has besides. */
const DETAIL = [
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
] as const;

/** The columns of a `GuiaDetalleRow` that are the guide's own. */
export const DETAIL_COLUMNS = [...LISTED, ...DETAIL] as const;

/** A guide as a list shows it. */
export type GuiaRow = GuiaColumnsRead<(typeof LISTED)[number]>;

export interface GuiaDetalleRow extends GuiaRow, GuiaColumnsRead<(typeof DETAIL)[number]> {
  /** ISO 4217. */
  moneda: string;
  /** Collected on delivery; null until it is known. */
  cod_cobrado: number | null;
  /** How that was paid; null where nothing was due, or is not delivered. */
  pago: Pago | null;
}

/** The last message that asks for a guide's place, as its merchant reads it. */
interface MensajeRow {
  estado: MensajeEstado;
  intentos: number;
  /** ISO 8601; null where no try is to come. */
  proximo_intento_en: string | null;
  /** In Spanish, without phone numbers. */
  causa: string | null;
}

export interface GuiaDelComercioRow extends GuiaDetalleRow {
  /** Null if nobody was asked. */
  mensaje: MensajeRow | null;
  /** When its label was last printed; null if it never was. */
  impresa_en: string | null;
}

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
