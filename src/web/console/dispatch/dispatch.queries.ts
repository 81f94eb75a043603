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

/** A town, and the guides in the filter's states there. */
export interface PlaceRow {
  departamento: string;
  municipio: string;
  guias: number;
}

/** The guides that match a filter, as the board shows them. */
export interface MatchesRow {
  /** All that match among those that are searched. */
  total: number;
  /** Whether there are guides that were not searched. */
  hay_mas: boolean;
  /** Of `total`, at most `MAX_MATCHES`: what the pages, the map and "all" have. */
  cuantas: number;
  sin_confirmar: number;
  /** Those of the page, in their order. */
  pagina: KeyRow[];
  /** Those with a known destination, by where they go. */
  grupos: GroupRow[];
  /** The towns of the newest guides in the filter's states, whatever else it asks for; those with most first. */
  lugares: PlaceRow[];
}

/** Guides that are near each other, and the area that holds all of them; in degrees. */
export interface GroupRow {
  guias: number;
  /** One of them. */
  guia: string;
  lat: number;
  lng: number;
  sur: number;
  oeste: number;
  norte: number;
  este: number;
}

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

/** Whether `searched` gives the newest of all. */
const isOfAll = ({ municipio, departamento, piloto = NADIE }: DispatchFilter) =>
  piloto === NADIE && municipio === undefined && departamento === undefined;

type Param = (value: unknown) => string;

const ofPlace = (column: 'municipio' | 'departamento', name: string, param: Param) =>
  `clave_lugar(g.${column}) = (select clave_lugar(${param(name)}))`;

/** The guides of these keys, each by its key: for all at once, the planner would read the whole table. */
const guiasOf = (keys: string) =>
  `${keys} k cross join lateral (select * from guias where comercio_id = k.comercio_id and id = k.id offset 0) g`;

/** The statement's beginning: `matches` has each guide that matches, with its place `n` in the list, from 1. */
function matching(filter: DispatchFilter, param: Param): string {
  const { estados, municipio, departamento, piloto, area } = filter;
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
  return `with newest as materialized (${newest}), matches as materialized (
      select g.comercio_id, g.id, g.guia, g.direccion_confirmada, g.destino_lat as lat, g.destino_lng as lng,
        row_number() over (order by g.direccion_confirmada, g.id desc) as n
      from ${guiasOf('newest')} where ${where.join(' and ')}
    )`;
}

/** The keys of the guides that match, the unconfirmed first, then the newest. */
export function findMatches(filter: DispatchFilter): QueryConfig {
  const values: unknown[] = [];
  const found = matching(filter, (value) => `$${values.push(value)}`);
  return {
    text: `${found} select comercio_id, id, guia from matches where n <= ${MAX_MATCHES} order by n`,
    values,
  };
}

/** Circles beside each other on a map, at most; and below each other. */
const ACROSS = 8;
const DOWN = 3;

/** Degrees; on the nearest map, circles nearer to each other would overlap. */
const LEAST_CELL = 0.0014;

/** Towns that a filter offers at most. */
const MAX_PLACES = 500;

/** @param page from 1. @param size of a page. @returns one row, `MatchesRow` */
export function boardOf(filter: DispatchFilter, page: number, size: number): QueryConfig {
  const values: unknown[] = [];
  const param: Param = (value) => `$${values.push(value)}`;
  return {
    text: `${matching(filter, param)}, kept as (select * from matches where n <= ${MAX_MATCHES}), box as (
      select min(lat) as south, min(lng) as west,
        greatest((max(lng) - min(lng)) / ${ACROSS}, (max(lat) - min(lat)) / ${DOWN}, ${LEAST_CELL}) as cell
      from kept where lng is not null
    ), groups as (
      select count(*)::int as guias, min(guia) as guia, avg(lat) as lat, avg(lng) as lng,
        min(lat) as sur, min(lng) as oeste, max(lat) as norte, max(lng) as este
      from kept, box where lat is not null and lng is not null
      group by floor((lat - south) / cell), floor((lng - west) / cell) order by 1 desc
    ), page as (
      select comercio_id, id, guia from kept
      where n > ${param((page - 1) * size)} and n <= ${param(page * size)} order by n
    ), places as (
      select g.departamento, g.municipio, count(*)::int as guias
      from ${guiasOf(isOfAll(filter) ? 'newest' : `(${newestIn(filter.estados)})`)}
      group by 1, 2 order by guias desc, municipio limit ${MAX_PLACES}
    )
    select (select count(*)::int from matches) as total, (select count(*) from newest) = ${MAX_SEARCHED} as hay_mas,
      (select count(*)::int from kept) as cuantas,
      (select count(*)::int from kept where not direccion_confirmada) as sin_confirmar,
      (select coalesce(json_agg(page), '[]') from page) as pagina,
      (select coalesce(json_agg(groups), '[]') from groups) as grupos,
      (select coalesce(json_agg(places), '[]') from places) as lugares`,
    values,
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
