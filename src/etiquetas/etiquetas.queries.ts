import type { CountryCode } from 'libphonenumber-js';
import type { QueryConfig } from 'pg';
import { textTypes } from '../platform/database/text-types.js';
import { LAST_NOTA } from '../guias/changes/guia-confirmations.queries.js';
import { whereMode } from '../guias/guia/guia-lookup.js';
import { TEXTOS } from '../guias/guia/guia-fields.js';
import type { Guia } from '../guias/guia/guia.entity.js';
import type { GuiaColumnsRead } from '../guias/guia/guia-row.js';

/** Origin of a print: `panel` and `api` by the merchant, `operaciones` by an operator's key, `despacho` by staff. */
export type ImpresionPor = 'panel' | 'api' | 'operaciones' | 'despacho';

const COLUMNS = [
  ...['comercio_id', 'id', 'guia', 'external_ref', 'estado', 'de_prueba', 'destinatario', 'telefono'],
  ...['direccion', 'departamento', 'municipio', ...TEXTOS, 'creada_en', 'direccion_confirmada'],
  ...['advertencias', 'destino_lat', 'destino_lng'],
] as const satisfies (keyof Guia)[];

export interface LabelRow extends GuiaColumnsRead<(typeof COLUMNS)[number]> {
  /** Exact, with two decimals. */
  cod_amount: string;
  /** The recipient's last note for the driver. */
  nota: string | null;
  /** The merchant's name. */
  comercio: string;
  /** The merchant's country and currency (ISO 4217). */
  pais: CountryCode;
  moneda: string;
}

const FIND = `select ${COLUMNS.map((column) => `g.${column}`).join(', ')}, g.cod_amount::text, c.nombre as comercio, c.pais, c.moneda, ${LAST_NOTA} as nota
from guias g join comercios c on c.id = g.comercio_id
where (g.id = any ($1::uuid[]) or g.guia = any ($2))`;

/** Whose guides: one merchant's, or all merchants' (either real or test guides). */
export type LabelOwner = { comercioId: string } | { isTest: boolean };

export function findLabels(of: LabelOwner, ids: string[], numeros: string[]): QueryConfig {
  const values = [ids, numeros];
  const types = textTypes;
  if ('isTest' in of)
    return {
      name: of.isTest ? 'etiquetas-test' : 'etiquetas',
      text: `${FIND} and ${whereMode(of.isTest, 'g')}`,
      values,
      types,
    };
  const text = `${FIND} and g.comercio_id = $3`;
  return { name: 'etiquetas-comercio', text, values: [...values, of.comercioId], types };
}

/** Notes that labels were made, in the order of the guides, so that two such statements do not wait for each other. */
export function recordPrints(
  guias: readonly Pick<LabelRow, 'comercio_id' | 'id'>[],
  por: ImpresionPor,
): QueryConfig {
  const sorted = guias.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return {
    name: 'impresiones',
    text: `insert into impresiones (comercio_id, guia_id, por, impresa_en)
select comercio_id, guia_id, $3, now() from unnest($1::uuid[], $2::uuid[]) as impresas (comercio_id, guia_id)
on conflict (comercio_id, guia_id, por) do update set impresa_en = excluded.impresa_en`,
    values: [sorted.map(({ comercio_id }) => comercio_id), sorted.map(({ id }) => id), por],
  };
}
