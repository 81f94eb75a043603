import type { QueryConfig } from 'pg';
import { textTypes } from '../../database/text-types.js';
import { GUIA_ESTADOS } from '../../guias/guia-estado.js';
import { whereMode } from '../../guias/guia-lookup.js';
import { codCobradoOf, DETAIL_COLUMNS, type GuiaDetalleRow } from '../../guias/guia-row.js';
import {
  isByChange,
  pageOfGuias,
  type ListFilter,
  type ListSource,
  type PageRequest,
} from '../../guias/list/guia-list.queries.js';

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

/** Characters of a statement's name; PostgreSQL cuts off the rest, so that two statements could have the same one. */
const MAX_NAME = 63;

const KEY_COLUMNS = 'comercio_id, id, actualizada_en';

/**
 * A page of all merchants' guides, in the order of a merchant's list. A place has an index of its own. Without a place or a
 * merchant, the first guides of all merchants are found by their indexes, and the pages of those that come first are merged.
 */
export function listAllGuias(filter: OperatorFilter, page: PageRequest): QueryConfig {
  const { source, isEachMerchant, own } = sourceOf(filter);
  const { name, text, values } = pageOfGuias(source, own, page);
  const sort = isByChange(filter) ? 'p.actualizada_en, p.id' : 'p.id desc';
  let keys = text;
  if (isEachMerchant) {
    const first = `${sort} limit $${values.push(page.rows)}`;
    // Whose first guide is not among the first ones has none on the page.
    const merchants = `select c.id from comercios c cross join lateral (select * from (${text}) own limit 1) p
      where c.prueba_de is ${filter.isTest ? 'not ' : ''}null order by ${first}`;
    keys = `select p.* from (${merchants}) c cross join lateral (${text}) p order by ${first}`;
  }
  return {
    name: name.length <= MAX_NAME ? name : undefined,
    text: `${SELECTED} from (${keys}) p
      join guias g on g.comercio_id = p.comercio_id and g.id = p.id
      join comercios c on c.id = g.comercio_id
      order by ${sort}`,
    values,
    types: textTypes,
  };
}

function sourceOf({ comercio, departamento, municipio, isTest, ...own }: OperatorFilter): {
  source: ListSource;
  isEachMerchant?: boolean;
  own: ListFilter;
} {
  const operador = isTest ? 'operador-prueba' : 'operador';
  const ofMerchant = (id: string) =>
    `comercio_id = ${isTest ? `(select id from comercios where prueba_de = ${id})` : id}`;
  const places = Object.entries({ municipio, departamento }).filter(([, place]) => place !== undefined);
  if (places.length > 0) {
    const name = [operador, ...places.map(([column]) => column.slice(0, 3)), ...(comercio ? ['de'] : [])];
    const indexed: ListSource['indexed'] = (param) => [
      ...places.map(([column, place]) => `clave_lugar(${column}) = (select clave_lugar(${param(place)}))`),
      ...(comercio === undefined ? [] : [ofMerchant(param(comercio))]),
      whereMode(isTest),
    ];
    return {
      // The index of a place leads to its real guides by state; of test guides, all are read by id.
      source: {
        name: name.join('-'),
        columns: KEY_COLUMNS,
        indexed,
        isMerchant: false,
        hasStateIndex: !isTest,
      },
      own: isTest ? own : { ...own, estados: own.estados ?? GUIA_ESTADOS },
    };
  }
  const merchant = { columns: KEY_COLUMNS, isMerchant: true, hasStateIndex: true };
  if (comercio !== undefined)
    return {
      source: { ...merchant, name: `${operador}-de`, indexed: (param) => [ofMerchant(param(comercio))] },
      own,
    };
  const { from: _, before: __, guia, ...others } = own;
  const isFiltered = Object.values(others).some((value) => value !== undefined);
  if (guia !== undefined || !isFiltered)
    return {
      source: {
        name: operador,
        columns: KEY_COLUMNS,
        indexed: () => [whereMode(isTest)],
        isMerchant: false,
        hasStateIndex: false,
      },
      own,
    };
  return {
    source: {
      ...merchant,
      name: `${operador}-todos`,
      indexed: () => ['comercio_id = c.id'],
      isRepeated: true,
    },
    isEachMerchant: true,
    own,
  };
}

/** A guide of any merchant, by id or number. */
export function findAnyGuia(by: 'id' | 'guia', value: string, isTest: boolean): QueryConfig {
  const where = `g.${by} = $1 and ${whereMode(isTest, 'g')}`;
  const name = `operador-by-${by}${isTest ? '-prueba' : ''}`;
  const text = `${SELECTED} from guias g join comercios c on c.id = g.comercio_id where ${where}`;
  return { name, text, values: [value], types: textTypes };
}
