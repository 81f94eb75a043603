import type { CountryCode } from 'libphonenumber-js';
import type { QueryConfig } from 'pg';
import { columnsOf } from '../../../database/columns-of.js';
import { quoted } from '../../../database/quoted.js';
import { textTypes } from '../../../database/text-types.js';
import { FINAL_ESTADOS, GUIA_ESTADOS, type GuiaEstado } from '../../../guias/guia-estado.js';
import { MAX_SEARCHED, newestIn } from '../../../guias/newest-guias.js';

/** States of guides that somebody still has to move. */
export const MOVABLE_ESTADOS = GUIA_ESTADOS.filter((estado) => !FINAL_ESTADOS.includes(estado));

/** Guides that a view has at most. */
export const MAX_MATCHES = 3_000;

/** South, west, north, east; in degrees. */
export type Area = readonly [south: number, west: number, north: number, east: number];

/** The value of the filter `piloto` for guides of nobody. */
export const NADIE = 'ninguno';

/** Filters of real guides, combined with AND. */
export interface DispatchFilter {
  estados: readonly GuiaEstado[];
  /** Compared without case and accents. */
  municipio?: string | undefined;
  departamento?: string | undefined;
  /** Id of a driver, or `ninguno`. */
  piloto?: string | undefined;
  /** Only guides whose destination is there. */
  area?: Area | undefined;
}

/** A guide's keys. */
export interface KeyRow {
  comercio_id: string;
  id: string;
  guia: string;
}

/** A guide that matches a filter. */
export interface MatchRow extends KeyRow {
  direccion_confirmada: boolean;
  destino_lat: number | null;
  destino_lng: number | null;
  /** All that match among those that are searched, also beyond `MAX_MATCHES`. */
  total: number;
  /** Whether there are guides that were not searched. */
  hay_mas: boolean;
}

const MATCH = 'g.comercio_id, g.id, g.guia, g.direccion_confirmada, g.destino_lat, g.destino_lng';

/**
 * SQL of the keys of guides that may match, `MAX_SEARCHED` of each state at most: the newest of a driver or a place where one
 * is given, by its index; else the newest of all.
 */
function searched({ estados, municipio, departamento, piloto }: DispatchFilter, param: Param): string {
  const newest = (
    of: string,
  ) => `select own.* from unnest(array[${quoted(estados)}]) e (estado) cross join lateral (
      select g.comercio_id, g.id from guias g where ${of} and not g.de_prueba and g.estado = e.estado
      order by g.id desc limit ${MAX_SEARCHED}
    ) own order by own.id desc limit ${MAX_SEARCHED}`;
  if (piloto !== undefined && piloto !== NADIE) return newest(`g.piloto_id = ${param(piloto)}`);
  if (municipio !== undefined) return newest(ofPlace('municipio', municipio, param));
  if (departamento !== undefined) return newest(ofPlace('departamento', departamento, param));
  return newestIn(estados);
}

type Param = (value: unknown) => string;

const ofPlace = (column: 'municipio' | 'departamento', name: string, param: Param) =>
  `clave_lugar(g.${column}) = (select clave_lugar(${param(name)}))`;

/** The guides that match, the unconfirmed first, then the newest, as `MatchRow`. */
export function findMatches(filter: DispatchFilter): QueryConfig {
  const { estados, municipio, departamento, piloto, area } = filter;
  const values: unknown[] = [];
  const param: Param = (value) => `$${values.push(value)}`;
  const newest = searched(filter, param);
  const where = [`g.estado in (${quoted(estados)})`];
  if (municipio !== undefined) where.push(ofPlace('municipio', municipio, param));
  if (departamento !== undefined) where.push(ofPlace('departamento', departamento, param));
  if (piloto === NADIE) where.push('g.piloto_id is null');
  else if (piloto !== undefined) where.push(`g.piloto_id = ${param(piloto)}`);
  if (area) {
    const [south, west, north, east] = area.map(param);
    where.push(`g.destino_lat between ${south} and ${north} and g.destino_lng between ${west} and ${east}`);
  }
  return {
    text: `with newest as materialized (${newest})
      select ${MATCH}, count(*) over ()::int as total, (select count(*) from newest) = ${MAX_SEARCHED} as hay_mas
      from newest k cross join lateral (
        select * from guias where comercio_id = k.comercio_id and id = k.id offset 0
      ) g where ${where.join(' and ')} order by g.direccion_confirmada, g.id desc limit ${MAX_MATCHES}`,
    values,
  };
}

/** A town, and the guides in these states there. */
export interface PlaceRow {
  departamento: string;
  municipio: string;
  guias: number;
}

/** The towns that have guides in these states, those with most first; of `MAX_SEARCHED` guides, the newest. */
export function countPlaces(estados: readonly GuiaEstado[]): QueryConfig {
  return {
    text: `select g.departamento, g.municipio, count(*)::int as guias
      from (${newestIn(estados)}) k join guias g on g.comercio_id = k.comercio_id and g.id = k.id
      group by 1, 2 order by guias desc, municipio limit 500`,
    values: [],
  };
}

/** A guide in the list; amounts are texts. */
export interface ListedRow {
  id: string;
  guia: string;
  estado: GuiaEstado;
  comercio: string;
  pais: CountryCode;
  moneda: string;
  destinatario: string;
  direccion: string;
  referencia: string | null;
  municipio: string;
  departamento: string;
  direccion_confirmada: boolean;
  cod_amount: string;
  piloto: string | null;
}

const LISTED = `select g.id, g.guia, g.estado, c.nombre as comercio, c.pais, c.moneda, g.destinatario, g.direccion, g.referencia,
    g.municipio, g.departamento, g.direccion_confirmada, g.cod_amount::text,
    (select nombre from pilotos where pilotos.id = g.piloto_id) as piloto`;

/** The guides of these keys, in any order. */
export function listGuias(keys: readonly { comercio_id: string; id: string }[]): QueryConfig {
  return {
    text: `${LISTED} from unnest($1::uuid[], $2::uuid[]) k (comercio_id, id)
      join guias g on g.comercio_id = k.comercio_id and g.id = k.id join comercios c on c.id = g.comercio_id`,
    values: columnsOf([...keys], 'comercio_id', 'id'),
    types: textTypes,
  };
}

/** The keys of the real guides of these numbers, in any order. */
export function keysOf(numeros: readonly string[]): QueryConfig {
  return {
    text: 'select comercio_id, id, guia from guias where guia = any ($1) and not de_prueba',
    values: [numeros],
  };
}

/** The movable real guides of these numbers, in any order. */
export function listByNumber(numeros: readonly string[]): QueryConfig {
  return {
    text: `${LISTED} from guias g join comercios c on c.id = g.comercio_id
      where g.guia = any ($1) and not g.de_prueba and g.estado = any ($2)`,
    values: [numeros, MOVABLE_ESTADOS],
    types: textTypes,
  };
}
