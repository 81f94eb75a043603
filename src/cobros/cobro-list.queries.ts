import type { RawQuery } from '../platform/database/database.js';
import { quoted } from '../platform/database/quoted.js';
import { HIGHEST_ID, LOWEST_ID } from '../platform/database/row-id.js';
import { join, raw, sql, statement, type Sql } from '../platform/database/sql.js';
import type { TextRow } from '../platform/database/text-row.js';
import { toIso } from '../platform/database/text-types.js';
import type { Guia } from '../guias/guia/guia.entity.js';
import type { Pago } from '../guias/guia/pago.js';
import { IN_DIFERENCIA, TAKEN_BACK, UNCOLLECTED } from '../guias/guia/uncollected.js';
import type { Position } from '../platform/pagination/cursor.js';
import { isAmong, type Whose } from './whose.js';
import type { Cobro } from './cobro.entity.js';
import { TIMED_ESTADOS, type CobroEstado } from './cobro-estado.js';

export interface CobroRow
  extends
    Pick<Guia, 'guia' | 'id' | 'external_ref'>,
    TextRow<Cobro, 'cod_amount' | 'cod_cobrado' | 'cobrado_en' | 'pago'> {
  estado: CobroEstado;
  liquidacion: string | null;
  /** The settled amount; null before. */
  liquidado: string | null;
  /** The merchant's public id, its name and currency, in an operator's list. */
  comercio?: string;
  comercio_nombre?: string;
  moneda?: string;
}

export interface CobroFilter {
  estado?: CobroEstado;
  /** Collected at this time or later, in ms since 1970. */
  from?: number;
  /** Collected at this time or earlier, in ms since 1970. */
  until?: number;
  liquidacion?: string;
}

/** A list of a range of times is in the order of collection, the latest first; any other is by guide, the newest first. */
export function isByTime({ from, until }: CobroFilter): boolean {
  return from !== undefined || until !== undefined;
}

/** The latest time that a cursor can hold. */
const LAST_MS = 2 ** 48 - 1;

const COLUMNS =
  'guia, id, external_ref, cod_amount, cod_cobrado, estado, cobrado_en, liquidacion_id, pago, liquidado';

/** SQL condition: the guide has no settled amount whose delivery was taken back, which is listed as settled. */
const HAS_NONE = `not exists (select from cobros d where d.comercio_id = guias.comercio_id and d.guia_id = guias.id
    and ${TAKEN_BACK})`;

/** A merchant's list: SQL of its id, and where a page of it begins. */
interface CobroList extends CobroFilter {
  owner: Sql;
  after?: Position;
  rows: number;
}

const uncollected = (estado: keyof typeof UNCOLLECTED, { owner, after, rows }: CobroList) => sql`(
  select guia, id, external_ref, cod_amount, null::numeric as cod_cobrado, ${raw(quoted([estado]))} as estado,
    null::timestamptz as cobrado_en, null::uuid as liquidacion_id, null::text as pago,
    null::numeric as liquidado
  from guias where comercio_id = ${owner} and ${raw(UNCOLLECTED[estado])} and id < ${after?.id ?? HIGHEST_ID} and ${raw(HAS_NONE)}
  order by id desc limit ${rows})`;

const collected = (where: Sql, order: string, rows: number) => sql`(
  select g.guia, g.id, g.external_ref, c.cod_amount, c.cod_cobrado, c.estado, c.cobrado_en, c.liquidacion_id, c.pago,
    case when c.liquidacion_id is not null then coalesce(c.liquidado, c.cod_cobrado) end as liquidado
  from (select * from cobros where ${where} order by ${raw(order)} limit ${rows}) c
  join guias g on g.comercio_id = c.comercio_id and g.id = c.guia_id)`;

/** The subqueries of a list sorted by guide; each reads at most a page from its own index. */
function partsById(list: CobroList): Sql[] {
  const { estado, liquidacion, owner, after, rows } = list;
  const cobros = (where: Sql) =>
    collected(sql`${where} and guia_id < ${after?.id ?? HIGHEST_ID}`, 'guia_id desc', rows);
  if (liquidacion !== undefined) return [cobros(sql`liquidacion_id = ${liquidacion}`)];
  const ofOwner = sql`comercio_id = ${owner}`;
  const ofEstado = () => cobros(sql`${ofOwner} and estado = ${raw(quoted([estado!]))}`);
  switch (estado) {
    case undefined:
      return [uncollected('por_cobrar', list), uncollected('sin_cobro', list), cobros(ofOwner)];
    case 'por_cobrar':
    case 'sin_cobro':
      return [uncollected(estado, list), ofEstado()];
    default:
      return [ofEstado()];
  }
}

/** Likewise of a list sorted by the time of collection. */
function partsByTime({ estado, owner, after, rows, from = 0, until = LAST_MS - 1 }: CobroList): Sql[] {
  // Milliseconds, because PostgreSQL cannot read every ISO 8601 year.
  const inRange = sql`(cobrado_en, guia_id) <
      (to_timestamp(${after?.ms ?? until + 1}::float8 / 1000), ${after?.id ?? LOWEST_ID}::uuid)
    and cobrado_en >= to_timestamp(${from}::float8 / 1000)`;
  return TIMED_ESTADOS.filter((one) => estado === undefined || one === estado).map((one) =>
    collected(
      sql`comercio_id = ${owner} and estado = ${raw(quoted([one]))} and ${inRange}`,
      'cobrado_en desc, guia_id desc',
      rows,
    ),
  );
}

/** The lists that are prepared; see `PREPARED` of `guia-readings.queries.ts`. */
const PREPARED: ReadonlySet<string> = new Set([
  'cobros-list',
  'cobros-list-por_cobrar',
  'cobros-list-cobrado',
  'cobros-list-liquidacion',
  'cobros-list-tiempo',
]);

function preparedName({ estado, liquidacion, ...filter }: CobroFilter): string | undefined {
  const filters = [estado, liquidacion && 'liquidacion', isByTime(filter) && 'tiempo'];
  const name = ['cobros-list', ...filters.filter(Boolean)].join('-');
  return PREPARED.has(name) ? name : undefined;
}

/**
 * The first `rows` amounts after `after`. Undefined if the filter can match nothing. Of all merchants, or of one that an operator
 * asks for: each merchant's list is read by its own indexes, and they are merged.
 */
export function listCobros(
  whose: Whose,
  filter: CobroFilter,
  range: { after?: Position; rows: number },
): RawQuery | undefined {
  const isOfOne = 'comercioId' in whose;
  const list = { ...filter, ...range, owner: isOfOne ? sql`${whose.comercioId}` : raw('c.id') };
  const parts = isByTime(filter) ? partsByTime(list) : partsById(list);
  if (parts.length === 0) return undefined;
  const order = isByTime(filter) ? 'cobrado_en desc, id desc' : 'id desc';
  const page = sql`select ${raw(COLUMNS)} from (${join(parts, ' union all ')}) cobro
    order by ${raw(order)} limit ${range.rows}`;
  if (isOfOne) return statement(page, { name: preparedName(filter), once: whose.comercioId });
  return statement(sql`select p.*, coalesce(c.prueba_de, c.id), c.nombre, c.moneda
    from comercios c cross join lateral (${page}) p
    where ${isAmong(whose)} order by ${raw(order.replaceAll(/\b(?=cobrado_en|id)/g, 'p.'))} limit ${range.rows}`);
}

/** The texts that PostgreSQL sends for each of `COLUMNS`; in an operator's list, also of the merchant. */
type Written = readonly [
  guia: string,
  id: string,
  external_ref: string | null,
  cod_amount: string,
  cod_cobrado: string | null,
  estado: string,
  cobrado_en: string | null,
  liquidacion: string | null,
  pago: string | null,
  liquidado: string | null,
  ...merchant: string[],
];

export function toCobroRow([
  guia,
  id,
  external_ref,
  cod_amount,
  cod_cobrado,
  estado,
  cobrado_en,
  liquidacion,
  pago,
  liquidado,
  ...[comercio, comercio_nombre, moneda]
]: Written): CobroRow {
  return {
    ...{ guia, id, external_ref, cod_amount, cod_cobrado },
    estado: estado as CobroEstado,
    cobrado_en: cobrado_en === null ? null : toIso(cobrado_en),
    liquidacion,
    pago: pago as Pago | null,
    liquidado,
    ...(comercio !== undefined && { comercio, comercio_nombre, moneda }),
  };
}

/**
 * An amount paid to the merchant is a row of its own, of which nothing was collected. A settled amount that was paid to the
 * merchant after all, or whose delivery was taken back, is 0 and no difference.
 */
const TOTALLED = `select case estado when 'sin_cobro' then 'directo' else estado end as estado, cod_amount,
    case when ${IN_DIFERENCIA} then cod_cobrado end as cod_cobrado
  from cobros`;

const RESUMEN_ALL = `select 'por_cobrar' as estado, cod_amount, null::numeric as cod_cobrado
  from guias where comercio_id = $1 and ${UNCOLLECTED.por_cobrar} and ${HAS_NONE}
  union all select 'sin_cobro', cod_amount, null from guias where comercio_id = $1 and ${UNCOLLECTED.sin_cobro} and ${HAS_NONE}
  union all ${TOTALLED} where comercio_id = $1`;

const RESUMEN_OF_TIME = `${TOTALLED}
  where comercio_id = $1 and estado in (${quoted(TIMED_ESTADOS)})
    and cobrado_en >= to_timestamp($2::float8 / 1000) and cobrado_en < to_timestamp($3::float8 / 1000)`;

/** `diferencia` is the same for all states. */
const resumen = (cobros: string) => `select estado, count(*) as guias, sum(cod_amount) as cod_amount,
    coalesce(sum(cod_cobrado), 0.00) as cod_cobrado,
    coalesce(sum(sum(cod_cobrado - cod_amount)) over (), 0.00) as diferencia
  from (${cobros}) cobro group by estado`;

/** Guides and amounts of each state that has any: `[estado, guias, cod_amount, cod_cobrado, diferencia]`. */
export function sumCobros(comercioId: string, filter: Pick<CobroFilter, 'from' | 'until'>): RawQuery {
  if (!isByTime(filter)) return { name: 'cobros-resumen', text: resumen(RESUMEN_ALL), values: [comercioId] };
  const { from = 0, until = LAST_MS - 1 } = filter;
  const values = [comercioId, from, until + 1];
  return { name: 'cobros-resumen-tiempo', text: resumen(RESUMEN_OF_TIME), values };
}
