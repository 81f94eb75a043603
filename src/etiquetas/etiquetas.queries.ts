import type { CountryCode } from 'libphonenumber-js';
import type { QueryConfig } from 'pg';
import { textTypes } from '../database/text-types.js';
import type { GuiaRow } from '../guias/guias.queries.js';

/** What a label is made from. */
export interface LabelRow extends Pick<
  GuiaRow,
  | 'id'
  | 'guia'
  | 'external_ref'
  | 'destinatario'
  | 'telefono'
  | 'direccion'
  | 'departamento'
  | 'municipio'
  | 'referencia'
  | 'contenido'
  | 'notas'
  | 'creada_en'
> {
  /** Exact, with two decimals. */
  cod_amount: string;
  /** The merchant's name. */
  comercio: string;
  /** The merchant's country and currency (ISO 4217). */
  pais: CountryCode;
  moneda: string;
}

const FIND = `select g.id, g.guia, g.external_ref, g.destinatario, g.telefono, g.direccion, g.departamento, g.municipio,
  g.referencia, g.contenido, g.notas, g.creada_en, g.cod_amount::text, c.nombre as comercio, c.pais, c.moneda
from guias g join comercios c on c.id = g.comercio_id
where (g.id = any ($1::uuid[]) and g.guia <> '' or g.guia = any ($2))`;

/** The guides with these ids and numbers: of one merchant, or of any if null. */
export function findLabels(comercioId: string | null, ids: string[], numeros: string[]): QueryConfig {
  const any = { name: 'etiquetas', text: FIND, values: [ids, numeros], types: textTypes };
  if (comercioId === null) return any;
  return {
    ...any,
    name: 'etiquetas-comercio',
    text: `${FIND} and g.comercio_id = $3`,
    values: [...any.values, comercioId],
  };
}
