import type { QueryConfig } from 'pg';
import type { Operator } from '../auth/operators/operator.js';
import { raw, sql } from '../platform/database/sql.js';
import { exactTypes } from '../platform/database/text-types.js';
import type { Change } from '../platform/events/record-eventos.js';
import { HIGHEST_ID } from '../platform/database/row-id.js';

/** A settlement; times are ISO 8601, amounts are texts. */
export interface LiquidacionRow {
  id: string;
  /** The merchant, also of a settlement of its test guides. */
  comercio: string;
  moneda: string;
  guias: number;
  cobrado: string;
  ajustes: string;
  desde: string;
  hasta: string;
  creada_en: string;
  pagada_en: string | null;
  referencia_pago: string | null;
  pago_operador_id: string | null;
  pago_ref: string | null;
}

export interface MerchantFilter {
  /** Test twins, instead of real merchants. */
  isTest: boolean;
  /** The public id of one; of a test twin, its merchant's. */
  comercio?: string | undefined;
}

/** SQL condition of the merchant `c`. @param isTest, comercio placeholders of a `MerchantFilter`. */
export const isAmong = (isTest: string, comercio: string): string =>
  `(c.prueba_de is not null) = ${isTest} and (${comercio}::uuid is null or coalesce(c.prueba_de, c.id) = ${comercio})`;

/** SQL of the internal id of the one merchant that an operator asks for: an index of its rows serves. @param comercio placeholder. */
export const idAmong = ({ isTest }: MerchantFilter, comercio: string): string =>
  `(select id from comercios where ${isTest ? 'prueba_de' : 'prueba_de is null and id'} = ${comercio}::uuid)`;

export const LIQUIDACION_COLUMNS = [
  'id',
  'comercio_id',
  'moneda',
  'guias',
  'cobrado',
  'ajustes',
  'desde',
  'hasta',
  'creada_en',
  'pagada_en',
  'referencia_pago',
  'pago_operador_id',
  'pago_ref',
];
const COLUMNS = LIQUIDACION_COLUMNS.join(', ');

/** SQL of the merchant's public id. A test settlement belongs to the test twin, whose id is internal. */
export const COMERCIO =
  '(select coalesce(c.prueba_de, c.id) from comercios c where c.id = l.comercio_id) as comercio';

/** Guides of a settlement at most: marking more would take longer than a statement may. */
export const MAX_GUIAS = 20_000;

const lockMerchant = (where: string) =>
  `select id, moneda, pais from comercios where ${where} for no key update`;
const LOCK_MERCHANT = { name: 'liquidacion-lock', text: lockMerchant('id = $1 and prueba_de is null') };
/** Of the merchant's test twin. */
const LOCK_TEST = { name: 'liquidacion-lock-test', text: lockMerchant('prueba_de = $1') };

/**
 * Locks a merchant until the end of the transaction: its settlements run one after the other. Returns its internal `id`,
 * `moneda` and `pais`.
 */
export function lockForSettling(comercio: string, { isTest }: Operator): QueryConfig {
  return { ...(isTest ? LOCK_TEST : LOCK_MERCHANT), values: [comercio] };
}

const BY_REF = `select ${COLUMNS}, ${COMERCIO} from liquidaciones l
  where operador_id = $1 and comercio_id = $2 and ref = $3`;

/** The settlement that an operator made for a merchant under this `ref`. */
export function findByRef(operator: Operator, comercioId: string, ref: string): QueryConfig {
  return {
    name: 'liquidacion-by-ref',
    text: BY_REF,
    values: [operator.id, comercioId, ref],
    types: exactTypes,
  };
}

/** Times are ISO 8601. */
export interface UnsettledRow {
  ahora: string;
  /** When the first amount was collected; null if there is none. */
  primero: string | null;
  /** When the first amount past `MAX_GUIAS` was collected; null if all fit. */
  excedente: string | null;
}

/** The condition of the amounts to settle, by an index in the order of their time. */
const unsettled = (hasta: string) => `comercio_id = $1 and estado = 'cobrado' and cobrado_en <= ${hasta}`;

/** SQL of a time in ms since 1970: PostgreSQL cannot read every ISO 8601 year. */
const time = (ms: string) => `to_timestamp(${ms}::float8 / 1000)::timestamptz(3)`;

const nth = (offset: number) =>
  `(select cobrado_en from cobros where ${unsettled('hasta')} order by cobrado_en, guia_id offset ${offset} limit 1)`;

const UNSETTLED = `select ahora, ${nth(0)} as primero, ${nth(MAX_GUIAS)} as excedente
  from (select ahora, least(${time('$2')}, ahora) as hasta
    from (select clock_timestamp()::timestamptz(3) as ahora) reloj) limite`;

/** Reads at most `MAX_GUIAS` entries of an index. @param hasta in ms since 1970; until now if absent or in the future. */
export function findUnsettled(comercioId: string, hasta?: number): QueryConfig {
  return { name: 'liquidacion-unsettled', text: UNSETTLED, values: [comercioId, hasta], types: exactTypes };
}

/**
 * `tomados`: marks the first amounts, in the order of their time; waits for corrections that are under way, and sums what
 * they left. `ajustados`: marks the pending adjustments, but for those that are removed meanwhile. `nueva`: inserts the
 * settlement if it has any of them.
 */
const SETTLE = `with tomados as (
  update cobros set liquidacion_id = $2, estado = 'liquidado'
  where ${unsettled(time('$4'))} and liquidacion_id is null and guia_id = any (array(
    select guia_id from cobros where ${unsettled(time('$4'))} order by cobrado_en, guia_id limit ${MAX_GUIAS}))
  returning cod_cobrado, cobrado_en
), ajustados as (
  update ajustes set liquidacion_id = $2
  where comercio_id = $1 and liquidacion_id is null and creado_en <= ${time('$4')}
  returning monto, creado_en
), nueva as (
  insert into liquidaciones (comercio_id, id, moneda, guias, cobrado, ajustes, desde, hasta, creada_en, operador_id, ref)
  select $1, $2, $3, t.guias, t.cobrado, a.ajustes, coalesce(t.desde, a.desde), ${time('$4')}, $5, $6, $7
  from (select count(*) as guias, coalesce(sum(cod_cobrado), 0) as cobrado, min(cobrado_en) as desde from tomados) t
  cross join (select count(*) as cuantos, coalesce(sum(monto), 0) as ajustes, min(creado_en) as desde from ajustados) a
  where t.guias > 0 or a.cuantos > 0
  returning ${COLUMNS}
)
select l.*, ${COMERCIO} from nueva l`;

/**
 * Settles the first amounts of a locked merchant, and its pending adjustments. Returns the settlement, whose sum may be
 * below 0; no row if there was nothing to settle.
 * @param nueva.hasta in ms since 1970, not later than `creada_en`.
 */
export function settle(nueva: {
  comercio: { id: string; moneda: string };
  id: string;
  hasta: number;
  creada_en: string;
  operator: Operator;
  ref?: string;
}): QueryConfig {
  const { comercio, id, hasta, creada_en, operator, ref } = nueva;
  const values = [comercio.id, id, comercio.moneda, hasta, creada_en, operator.id, ref];
  return { name: 'liquidacion-settle', text: SETTLE, values, types: exactTypes };
}

/** A locked settlement, with the internal id of its merchant. */
export type LockedLiquidacion = LiquidacionRow & { comercio_id: string };

const LOCK = `select ${COLUMNS}, ${COMERCIO} from liquidaciones l
  where id = $1 and (select prueba_de is not null from comercios where id = l.comercio_id) = $2 for update of l`;

/** Locks a settlement until the end of the transaction. No row: unknown, or of the other mode. */
export function lockLiquidacion(id: string, { isTest }: Operator): QueryConfig {
  return { name: 'liquidacion-pay-lock', text: LOCK, values: [id, isTest], types: exactTypes };
}

/** Marks a locked settlement as paid, and returns it. */
export function pay(
  { comercio_id, id }: LockedLiquidacion,
  { referencia_pago, ref }: { referencia_pago: string; ref?: string },
  operator: Operator,
): Change {
  return {
    name: 'liquidacion-pay',
    types: exactTypes,
    sql: sql`update liquidaciones l set pagada_en = clock_timestamp(), referencia_pago = ${referencia_pago},
        pago_operador_id = ${operator.id}, pago_ref = ${ref}
      where comercio_id = ${comercio_id} and id = ${id}
      returning ${raw(COLUMNS)}, ${raw(COMERCIO)}, id as guia_id, pagada_en as ahora`,
  };
}

/** Replaces the reference of the payment of a locked settlement, and returns it. */
export function correctPayment({ comercio_id, id }: LockedLiquidacion, referencia_pago: string): QueryConfig {
  const text = `update liquidaciones l set referencia_pago = $3 where comercio_id = $1 and id = $2
    returning ${COLUMNS}, ${COMERCIO}`;
  return { text, values: [comercio_id, id, referencia_pago], types: exactTypes };
}

/** @param comercio SQL of the merchant's id. */
const listOf = (comercio: string) =>
  `select ${COLUMNS}, ${COMERCIO} from liquidaciones l where comercio_id = ${comercio} and id < $2 order by id desc limit $3`;
const LIST = listOf('$1');

/** The first `rows` settlements of a merchant after `after`, newest first. */
export function listLiquidaciones(
  comercioId: string,
  { after, rows }: { after?: { id: string }; rows: number },
): QueryConfig {
  const values = [comercioId, after?.id ?? HIGHEST_ID, rows];
  return { name: 'liquidaciones-list', text: LIST, values, types: exactTypes };
}

const LIST_ALL = `select ${COLUMNS}, ${COMERCIO} from liquidaciones l
  where id < $2 and exists (select from comercios c where c.id = l.comercio_id and (c.prueba_de is not null) = $1)
  order by id desc limit $3`;

/** The same of all merchants, or of one. */
export function listAllLiquidaciones(
  { isTest, comercio }: MerchantFilter,
  { after, rows }: { after?: { id: string }; rows: number },
): QueryConfig {
  const from = after?.id ?? HIGHEST_ID;
  if (comercio !== undefined)
    return { text: listOf(idAmong({ isTest }, '$1')), values: [comercio, from, rows], types: exactTypes };
  const values = [isTest, from, rows];
  return { name: 'liquidaciones-list-all', text: LIST_ALL, values, types: exactTypes };
}

const ANY = `select ${COLUMNS}, ${COMERCIO} from liquidaciones l
  where id = $1 and exists (select from comercios c where c.id = l.comercio_id and (c.prueba_de is not null) = $2)`;

/** A settlement of any merchant, real or test. */
export function findAnyLiquidacion(id: string, isTest: boolean): QueryConfig {
  return { name: 'liquidacion-any', text: ANY, values: [id, isTest], types: exactTypes };
}

const ONE = `select ${COLUMNS}, ${COMERCIO} from liquidaciones l where comercio_id = $1 and id = $2`;

export function findLiquidacion(comercioId: string, id: string): QueryConfig {
  return { name: 'liquidacion-one', text: ONE, values: [comercioId, id], types: exactTypes };
}
