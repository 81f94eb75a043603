import type { QueryConfig } from 'pg';
import { asIso, textTypes } from '../platform/database/text-types.js';
import { cobroOf, DETAIL_COLUMNS, DETAILED, monedaOf } from './guia/guia-row.js';

const mensajeOf = (
  guias: string,
) => `(select json_build_object('estado', estado, 'intentos', intentos, 'causa', causa,
    'proximo_intento_en', case when estado in ('pendiente', 'enviando', 'incierto') then ${asIso('proximo_en')} end)
  from mensajes where guia_id = ${guias}.id and comercio_id = ${guias}.comercio_id and tipo = 'confirmacion_ubicacion'
  order by mensajes.id desc limit 1) as mensaje`;

const impresaOf = (guias: string) => `(select max(impresa_en) from impresiones
  where impresiones.comercio_id = ${guias}.comercio_id and guia_id = ${guias}.id) as impresa_en`;

/** SQL of what a `GuiaDelComercioRow` has beside the guide's own columns. @param guias alias of the table. */
export const besideDetail = (guias: string) =>
  [monedaOf(guias), cobroOf(guias), mensajeOf(guias), impresaOf(guias)].join(', ');

const FIND = `select ${DETAIL_COLUMNS.join(', ')}, ${besideDetail('guias')} from guias where comercio_id = $1 and`;

/** One `GuiaDelComercioRow`. */
export function findGuia(comercioId: string, by: 'id' | 'guia' | 'external_ref', value: string): QueryConfig {
  return { name: `guia-by-${by}`, text: `${FIND} ${by} = $2`, values: [comercioId, value], types: textTypes };
}

const OTHER_MODE = `select from guias where comercio_id = (
    select id from comercios where prueba_de = $1
    union all select prueba_de from comercios where id = $1 and prueba_de is not null
  ) and`;

/** A row if the guide is one of the merchant's in the other mode. */
export function findInOtherMode(comercioId: string, by: 'id' | 'guia', value: string): QueryConfig {
  return { text: `${OTHER_MODE} ${by} = $2`, values: [comercioId, value] };
}

/** The merchant's guides with these numbers, as of a repeated create. */
export function findNumeros(comercioId: string, numeros: readonly string[]): QueryConfig {
  const text = `select ${DETAILED} from guias where comercio_id = $1 and guia = any ($2)`;
  return { text, values: [comercioId, numeros], types: textTypes };
}
