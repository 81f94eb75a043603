import type { CountryCode } from 'libphonenumber-js';
import type { QueryConfig } from 'pg';
import { columnsOf } from '../../database/columns-of.js';
import { textTypes } from '../../database/text-types.js';
import { FINAL_ESTADOS, GUIA_ESTADOS, type GuiaEstado } from '../../guias/guia-estado.js';

/** States of guides that somebody still has to move. */
export const MOVABLE_ESTADOS = GUIA_ESTADOS.filter((estado) => !FINAL_ESTADOS.includes(estado));

/** Guides that a view has at most; of more it has the unconfirmed ones, and the newest. */
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

/** A guide that matches a filter. */
export interface MatchRow {
  comercio_id: string;
  id: string;
  guia: string;
  direccion_confirmada: boolean;
  destino_lat: number | null;
  destino_lng: number | null;
  /** All that match, also beyond `MAX_MATCHES`. */
  total: number;
}

const MATCH = 'g.comercio_id, g.id, g.guia, g.direccion_confirmada, g.destino_lat, g.destino_lng';

/**
 * SQL of the guides that match: by the index of a driver or a place where one is given, else merchant by merchant, by the
 * index of states (`offset 0`: a join might read all guides). An index of all open guides would cost each create.
 */
function matching(
  { estados, municipio, departamento, piloto, area }: DispatchFilter,
  columns: string,
): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const param = (value: unknown) => `$${values.push(value)}`;
  const isOfPlace = municipio !== undefined || departamento !== undefined;
  const isOfDriver = piloto !== undefined && piloto !== NADIE;
  const where = [`g.estado = any (${param(estados)})`];
  for (const [column, name] of Object.entries({ municipio, departamento }))
    if (name !== undefined) where.push(`clave_lugar(g.${column}) = (select clave_lugar(${param(name)}))`);
  if (piloto === NADIE) where.push('g.piloto_id is null');
  else if (piloto !== undefined) where.push(`g.piloto_id = ${param(piloto)}`);
  if (area) {
    const [south, west, north, east] = area.map(param);
    where.push(`g.destino_lat between ${south} and ${north} and g.destino_lng between ${west} and ${east}`);
  }
  const own = where.join(' and ');
  const text =
    isOfPlace || isOfDriver
      ? `select ${columns} from guias g where not g.de_prueba and ${own}`
      : `select own.* from comercios c cross join lateral (
          select ${columns} from guias g where g.comercio_id = c.id and ${own} offset 0
        ) own where c.prueba_de is null`;
  return { text, values };
}

/** The guides that match, the unconfirmed first, then the newest, as `MatchRow`. */
export function findMatches(filter: DispatchFilter): QueryConfig {
  const { text, values } = matching(filter, MATCH);
  return {
    text: `select m.*, count(*) over ()::int as total from (${text}) m
      order by m.direccion_confirmada, m.id desc limit ${MAX_MATCHES}`,
    values,
  };
}

/** A town, and the guides in these states there. */
export interface PlaceRow {
  departamento: string;
  municipio: string;
  guias: number;
}

/** The towns that have guides in these states, those with most first. */
export function countPlaces(estados: readonly GuiaEstado[]): QueryConfig {
  const { text, values } = matching({ estados }, 'g.departamento, g.municipio');
  return {
    text: `select departamento, municipio, count(*)::int as guias from (${text}) m
      group by departamento, municipio order by guias desc, municipio limit 500`,
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

/** The movable real guides of these numbers, in any order. */
export function listByNumber(numeros: readonly string[]): QueryConfig {
  return {
    text: `${LISTED} from guias g join comercios c on c.id = g.comercio_id
      where g.guia = any ($1) and not g.de_prueba and g.estado = any ($2)`,
    values: [numeros, MOVABLE_ESTADOS],
    types: textTypes,
  };
}
