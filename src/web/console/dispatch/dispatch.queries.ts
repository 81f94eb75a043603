import type { CountryCode } from 'libphonenumber-js';
import type { QueryConfig } from 'pg';
import { columnsOf } from '../../../platform/database/columns-of.js';
import { sql, statement } from '../../../platform/database/sql.js';
import { textTypes } from '../../../platform/database/text-types.js';
import { unnest } from '../../../platform/database/unnest.js';
import type { GuiaEstado } from '../../../guias/guia/guia-estado.js';
import { newestIn } from '../../../guias/guia/newest-guias.js';
import { guiasOf, isLeftOf, isOfAll, matching, totalOf, type Param } from './candidates.queries.js';
import { MOVABLE_ESTADOS, type DispatchFilter } from './dispatch-filter.js';

/** Guides that a view has at most. */
export const MAX_MATCHES = 3_000;

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
  /** All that match, as far as they were searched. */
  total: number;
  /** Whether more may match that were not searched. */
  hay_mas: boolean;
  /** Of `total`, at most `MAX_MATCHES`: what the pages, the map and "all" have. */
  cuantas: number;
  sin_confirmar: number;
  /** The page's, in their order. */
  pagina: KeyRow[];
  /** Guides with a known destination, by area. */
  grupos: GroupRow[];
  /** The towns of the newest guides in the filter's states, whatever else it asks for; those with most first. */
  lugares: PlaceRow[];
  /** Names of the merchants of those guides. */
  comercios: string[];
  /** Names of the merchants that the filter means; null where it means none. */
  tiendas: string[] | null;
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

/** Towns, and merchants, that a filter offers at most. */
const MAX_PLACES = 500;
const MAX_SHOPS = 100;

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
    ), newest_of_all as materialized (${isOfAll(filter) ? 'select * from newest' : newestIn(filter.estados)}), places as (
      select g.departamento, g.municipio, count(*)::int as guias from ${guiasOf('newest_of_all')}
      group by 1, 2 order by guias desc, municipio limit ${MAX_PLACES}
    ), sellers as (
      select c.nombre from (select comercio_id, count(*) as guias from newest_of_all group by 1) n
      join comercios c on c.id = n.comercio_id order by n.guias desc limit ${MAX_SHOPS}
    )
    select total, ${isLeftOf(filter)} as hay_mas,
      (select count(*)::int from kept) as cuantas,
      (select count(*)::int from kept where not direccion_confirmada) as sin_confirmar,
      (select coalesce(json_agg(page), '[]') from page) as pagina,
      (select coalesce(json_agg(groups), '[]') from groups) as grupos,
      (select coalesce(json_agg(places), '[]') from places) as lugares,
      (select coalesce(json_agg(distinct nombre), '[]') from sellers) as comercios,
      ${filter.comercio === undefined ? 'null::json' : `(select coalesce(json_agg(nombre), '[]') from shops)`} as tiendas
    from (select ${totalOf(filter, param)} as total) counted`,
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

/** Counts of guides whose assignment is unusual. */
export interface UnusualRow {
  guias: number;
  sin_confirmar: number;
  en_ruta: number;
  /** That another driver has. */
  de_otro: number;
  /** That the driver will have. */
  quedan: number;
}

/** Returns one row, `UnusualRow`. @param pilotoId null for nobody. */
export function unusualOf(keys: readonly KeyRow[], pilotoId: string | null): QueryConfig {
  const isTheirs = sql`g.piloto_id is not distinct from ${pilotoId}`;
  return statement(sql`select count(*)::int as guias, (count(*) filter (where not g.direccion_confirmada))::int as sin_confirmar,
        (count(*) filter (where g.estado = 'en_ruta'))::int as en_ruta,
        (count(*) filter (where g.piloto_id is not null and not ${isTheirs}))::int as de_otro,
        ((count(*) filter (where not ${isTheirs})) + (select count(*) from guias where piloto_id = ${pilotoId}
          and not de_prueba and estado = any (${MOVABLE_ESTADOS})))::int as quedan
      from ${unnest(keys, 'k', { comercio_id: 'uuid', id: 'uuid' })}
      cross join lateral (
        select * from guias where comercio_id = k.comercio_id and id = k.id and estado = any (${MOVABLE_ESTADOS}) offset 0
      ) g`);
}

export interface ScannedRow {
  guia: string;
  estado: GuiaEstado;
  municipio: string;
  direccion_confirmada: boolean;
  piloto: string | null;
}

/** The real guides of these numbers, ended ones too, in any order. */
export function scannedOf(numeros: readonly string[]): QueryConfig {
  return {
    text: `select g.guia, g.estado, g.municipio, g.direccion_confirmada,
        (select nombre from pilotos where pilotos.id = g.piloto_id) as piloto
      from guias g where g.guia = any ($1) and not g.de_prueba`,
    values: [numeros],
  };
}

export function listByNumber(numeros: readonly string[]): QueryConfig {
  return {
    text: `${LISTED} from guias g join comercios c on c.id = g.comercio_id
      where g.guia = any ($1) and not g.de_prueba and g.estado = any ($2)`,
    values: [numeros, MOVABLE_ESTADOS],
    types: textTypes,
  };
}
