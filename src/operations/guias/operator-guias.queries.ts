import type { CountryCode } from 'libphonenumber-js';
import type { QueryConfig } from 'pg';
import { textTypes } from '../../platform/database/text-types.js';
import { GUIA_ESTADOS } from '../../guias/guia/guia-estado.js';
import { whereMode } from '../../guias/guia/guia-lookup.js';
import { cobroOf, DETAIL_COLUMNS, type GuiaDetalleRow } from '../../guias/guia/guia-row.js';
import type { Param } from '../../guias/list/guia-readings.queries.js';
import {
  isByChange,
  pageOfGuias,
  type ListFilter,
  type ListSource,
  type PageRequest,
} from '../../guias/list/guia-list.queries.js';

export interface OperatorGuiaRow extends GuiaDetalleRow {
  comercio_id: string;
  /** The merchant's public id; of a test guide, that of the merchant whose test twin it belongs to. */
  comercio: string;
  comercio_nombre: string;
  /** ISO 3166 code of the merchant's country. */
  comercio_pais: CountryCode;
  /** The driver; null for nobody. */
  piloto: string | null;
  piloto_nombre: string | null;
}

/** Filters of all merchants' guides, combined with AND. */
export interface OperatorFilter extends ListFilter {
  /** Test guides, instead of real ones. */
  isTest: boolean;
  /** Id of a merchant; for test guides it means the merchant's test twin. */
  comercio?: string;
  /** Compared without case and accents, like `municipio`. */
  departamento?: string;
  municipio?: string;
  /** Id of a driver; `ninguno` for guides of nobody. */
  piloto?: string;
}

const SELECTED = `select ${DETAIL_COLUMNS.map((column) => `g.${column}`).join(', ')}, g.comercio_id,
  coalesce(c.prueba_de, c.id) as comercio, c.nombre as comercio_nombre, c.pais as comercio_pais,
  c.moneda, ${cobroOf('g')}, g.piloto_id as piloto,
  (select nombre from pilotos where pilotos.id = g.piloto_id) as piloto_nombre`;

const KEY_COLUMNS = 'comercio_id, id, actualizada_en';

/** A page of all merchants' guides, in the order of a merchant's list. */
export function listAllGuias(filter: OperatorFilter, page: PageRequest): QueryConfig {
  const source = sourceOf(filter);
  // The index of a place is in the order of the list within each state.
  const isByState = source.hasStateIndex && !source.hasMerchantIndexes;
  const own = isByState ? { ...filter, estados: filter.estados ?? GUIA_ESTADOS } : filter;
  const { name, text, values } = pageOfGuias(source, own, page);
  const sort = isByChange(filter) ? 'p.actualizada_en, p.id' : 'p.id desc';
  return {
    name,
    text: `${SELECTED} from (${text}) p
      join guias g on g.comercio_id = p.comercio_id and g.id = p.id
      join comercios c on c.id = g.comercio_id
      order by ${sort}`,
    values,
    types: textTypes,
  };
}

/** The value of the filter `piloto` for guides of nobody. */
export const NINGUNO = 'ninguno';

function sourceOf({ piloto, ...filter }: OperatorFilter): ListSource {
  if (piloto === undefined) return ofAnyPiloto(filter);
  if (piloto !== NINGUNO) return ofPiloto(piloto, filter);
  // Checked row by row: an index of the guides of nobody would cost each create.
  const source = ofAnyPiloto(filter);
  const indexed = (param: Param) => [...source.indexed(param), 'piloto_id is null'];
  return { ...source, name: `${source.name}-sinpiloto`, indexed };
}

function ofAnyPiloto(filter: OperatorFilter): ListSource {
  const { comercio, departamento, municipio, isTest, guia, from: _, before: __, ...others } = filter;
  if (departamento !== undefined || municipio !== undefined) return ofPlace(filter);
  if (comercio !== undefined) return ofMerchant(comercio, isTest);
  const isFiltered = Object.values(others).some((value) => value !== undefined);
  return guia === undefined && isFiltered ? ofEachMerchant(isTest) : ofAll(isTest);
}

/** The first part of the names of statements. */
const nameOf = (isTest: boolean) => (isTest ? 'operador-prueba' : 'operador');

/** @param id placeholder of a merchant's id. */
const whereMerchant = (id: string, isTest: boolean) =>
  `comercio_id = ${isTest ? `(select id from comercios where prueba_de = ${id})` : id}`;

/** Guides of a place, which has an index of its own: of real guides by state; tests are read by id. */
function ofPlace({ municipio, departamento, comercio, isTest }: OperatorFilter): ListSource {
  const places = Object.entries({ municipio, departamento }).filter(([, place]) => place !== undefined);
  const parts = places.map(([column]) => column.slice(0, 3));
  return {
    name: [nameOf(isTest), ...parts, ...(comercio === undefined ? [] : ['de'])].join('-'),
    columns: KEY_COLUMNS,
    indexed: (param) => [
      ...places.map(([column, place]) => `clave_lugar(${column}) = (select clave_lugar(${param(place)}))`),
      ...(comercio === undefined ? [] : [whereMerchant(param(comercio), isTest)]),
      whereMode(isTest),
    ],
    hasMerchantIndexes: false,
    hasStateIndex: !isTest,
  };
}

/** Guides of a driver, which has an index of its own: of real guides by state; tests are read by id. */
function ofPiloto(piloto: string, { municipio, departamento, comercio, isTest }: OperatorFilter): ListSource {
  const isOfPlace = municipio !== undefined || departamento !== undefined;
  const others =
    isOfPlace || comercio !== undefined
      ? ofPlace({ municipio, departamento, comercio, isTest })
      : ofAll(isTest);
  return {
    ...others,
    name: `${others.name}-piloto`,
    indexed: (param) => [`piloto_id = (select ${param(piloto)}::uuid)`, ...others.indexed(param)],
    hasStateIndex: !isTest,
  };
}

function ofMerchant(comercio: string, isTest: boolean): ListSource {
  return {
    name: `${nameOf(isTest)}-de`,
    columns: KEY_COLUMNS,
    indexed: (param) => [whereMerchant(param(comercio), isTest)],
    hasMerchantIndexes: true,
    hasStateIndex: true,
  };
}

function ofAll(isTest: boolean): ListSource {
  return {
    name: nameOf(isTest),
    columns: KEY_COLUMNS,
    indexed: () => [whereMode(isTest)],
    hasMerchantIndexes: false,
    hasStateIndex: false,
  };
}

/** Guides of the merchant `c`, by the indexes of each merchant. */
function ofEachMerchant(isTest: boolean): ListSource {
  return {
    name: `${nameOf(isTest)}-todos`,
    columns: KEY_COLUMNS,
    indexed: () => ['comercio_id = c.id'],
    hasMerchantIndexes: true,
    merchants: `prueba_de is ${isTest ? 'not ' : ''}null`,
    hasStateIndex: true,
  };
}

export function findAnyGuia(by: 'id' | 'guia', value: string, isTest: boolean): QueryConfig {
  const where = `g.${by} = $1 and ${whereMode(isTest, 'g')}`;
  const name = `operador-by-${by}${isTest ? '-prueba' : ''}`;
  const text = `${SELECTED} from guias g join comercios c on c.id = g.comercio_id where ${where}`;
  return { name, text, values: [value], types: textTypes };
}
