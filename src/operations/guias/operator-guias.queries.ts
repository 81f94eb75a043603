import type { QueryConfig } from 'pg';
import { textTypes } from '../../database/text-types.js';
import { modeOf } from '../../guias/guia-mode.js';
import { codCobradoOf, DETAIL_COLUMNS, type GuiaDetalleRow } from '../../guias/guias.queries.js';
import {
  led,
  pageOfGuias,
  type ListFilter,
  type ListSource,
  type PageRequest,
} from '../../guias/list/guia-page.queries.js';

/** A guide of any merchant. */
export interface OperatorGuiaRow extends GuiaDetalleRow {
  comercio_id: string;
  /** The merchant as it is known: of a test guide, the one whose test twin it belongs to. */
  comercio: string;
  comercio_nombre: string;
}

/** Filters of all merchants' guides, combined with AND. */
export interface OperatorFilter extends ListFilter {
  /** Test guides, instead of real ones. */
  isTest: boolean;
  /** Id of a merchant, which for test guides stands for its test twin. */
  comercio?: string;
  /** Compared without case and accents, like `municipio`. */
  departamento?: string;
  municipio?: string;
}

const SELECTED = `select ${DETAIL_COLUMNS.map((column) => `g.${column}`).join(', ')}, g.comercio_id,
  coalesce(c.prueba_de, c.id) as comercio, c.nombre as comercio_nombre,
  c.moneda, ${codCobradoOf('g')}`;

const KEY_COLUMNS = 'comercio_id, id, actualizada_en';

/**
 * A page of all merchants' guides, in the order of a merchant's list. The indexes of all guides, of a place and of a phone
 * hold those of all merchants; a reference is looked up merchant by merchant.
 */
export function listAllGuias(filter: OperatorFilter, page: PageRequest): QueryConfig {
  const { external_ref, guia, comercio, isTest } = filter;
  const isEachMerchant = external_ref !== undefined && guia === undefined && comercio === undefined;
  const { name, text, values } = pageOfGuias(sourceOf(filter, isEachMerchant), filter, page);
  const sort = filter.actualizada_desde === undefined ? 'p.id desc' : 'p.actualizada_en, p.id';
  const keys = isEachMerchant
    ? `select p.* from comercios c cross join lateral (${text}) p
        where c.prueba_de is ${isTest ? 'not ' : ''}null order by ${sort} limit $${values.push(page.rows)}`
    : text;
  return {
    name,
    text: `${SELECTED} from (${keys}) p
      join guias g on g.comercio_id = p.comercio_id and g.id = p.id
      join comercios c on c.id = g.comercio_id
      order by ${sort}`,
    values,
    types: textTypes,
  };
}

function sourceOf(
  { comercio, departamento, municipio, isTest }: OperatorFilter,
  isEachMerchant: boolean,
): ListSource {
  const places = Object.entries({ municipio, departamento }).filter(([, place]) => place !== undefined);
  const ofMerchant = (id: string) =>
    `comercio_id = ${isTest ? `(select id from comercios where prueba_de = ${id})` : id}`;
  const name = [
    isTest ? 'operador-prueba' : 'operador',
    ...places.map(([column]) => column.slice(0, 3)),
    ...(isEachMerchant ? ['todos'] : comercio === undefined ? [] : ['de']),
  ];
  return {
    name: name.join('-'),
    columns: KEY_COLUMNS,
    isMerchant: isEachMerchant || comercio !== undefined,
    scope: (param) => [
      ...(comercio === undefined ? [] : [ofMerchant(param(comercio))]),
      isEachMerchant ? 'comercio_id = c.id' : modeOf(isTest),
    ],
    place: (param) =>
      places.map(([column, place]) => led(`clave_lugar(${column})`, `clave_lugar(${param(place)})`)),
  };
}

const BY = { id: 'g.id = $1', guia: 'g.guia = $1' };

/** A guide of any merchant, by id or number. */
export function findAnyGuia(by: keyof typeof BY, value: string, isTest: boolean): QueryConfig {
  const where = `${BY[by]} and ${modeOf(isTest, 'g')}`;
  const name = `operador-by-${by}${isTest ? '-prueba' : ''}`;
  const text = `${SELECTED} from guias g join comercios c on c.id = g.comercio_id where ${where}`;
  return { name, text, values: [value], types: textTypes };
}
