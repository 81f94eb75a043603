import type { QueryConfig } from 'pg';
import { raw, sql, statement, type Sql } from '../platform/database/sql.js';
import type { Operator } from '../auth/operators/operator.js';
import type { TextRow } from '../platform/database/text-row.js';
import { exactTypes } from '../platform/database/text-types.js';
import type { Change } from '../platform/events/record-eventos.js';
import { HIGHEST_ID } from '../platform/database/row-id.js';
import type { Liquidacion } from './liquidacion.entity.js';
import { idAmong, type MerchantFilter, type Whose } from './whose.js';

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
] as const satisfies (keyof Liquidacion)[];

/** A settlement; times are ISO 8601, amounts are texts. `comercio_id` is internal. */
export interface LiquidacionRow extends TextRow<Liquidacion, (typeof LIQUIDACION_COLUMNS)[number]> {
  /** The merchant, also of a settlement of its test guides. */
  comercio: string;
}

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

/** Locks a merchant: its settlements run one after the other. Returns its internal `id`, `moneda` and `pais`. */
export function lockForSettling(comercio: string, { isTest }: Operator): QueryConfig {
  return { ...(isTest ? LOCK_TEST : LOCK_MERCHANT), values: [comercio] };
}

const SELECT = `select ${COLUMNS}, ${COMERCIO} from liquidaciones l`;

/** SQL condition: of a real merchant, or of a test twin. */
const isOfMode = ({ isTest }: MerchantFilter) =>
  sql`exists (select from comercios c where c.id = l.comercio_id and (c.prueba_de is not null) = ${isTest})`;

const BY_REF = `${SELECT} where operador_id = $1 and comercio_id = $2 and ref = $3`;

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

const nth = (offset: number) =>
  `(select cobrado_en from cobros where comercio_id = $1 and estado = 'cobrado' and cobrado_en <= hasta order by cobrado_en, guia_id offset ${offset} limit 1)`;

const UNSETTLED = `select ahora, ${nth(0)} as primero, ${nth(MAX_GUIAS)} as excedente
  from (select ahora, least(to_timestamp($2::float8 / 1000)::timestamptz(3), ahora) as hasta
    from (select clock_timestamp()::timestamptz(3) as ahora) reloj) limite`;

/** Reads at most `MAX_GUIAS` entries of an index. @param hasta in ms since 1970; until now if absent or in the future. */
export function findUnsettled(comercioId: string, hasta?: number): QueryConfig {
  return { name: 'liquidacion-unsettled', text: UNSETTLED, values: [comercioId, hasta], types: exactTypes };
}

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
  const until = sql`to_timestamp(${hasta}::float8 / 1000)::timestamptz(3)`;
  const due = sql`comercio_id = ${comercio.id} and estado = 'cobrado' and cobrado_en <= ${until}`;
  // `tomados`: marks the first amounts, in the order of their time; waits for corrections that are under way, and sums what
  // they left. `ajustados`: marks the pending adjustments, but for those that are removed meanwhile. `nueva`: inserts the
  // settlement if it has any of them.
  return statement(
    sql`with tomados as (
        update cobros set liquidacion_id = ${id}, estado = 'liquidado'
        where ${due} and liquidacion_id is null and guia_id = any (array(
          select guia_id from cobros where ${due} order by cobrado_en, guia_id limit ${raw(String(MAX_GUIAS))}))
        returning cod_cobrado, cobrado_en
      ), ajustados as (
        update ajustes set liquidacion_id = ${id}
        where comercio_id = ${comercio.id} and liquidacion_id is null and creado_en <= ${until}
        returning monto, creado_en
      ), nueva as (
        insert into liquidaciones (comercio_id, id, moneda, guias, cobrado, ajustes, desde, hasta, creada_en, operador_id, ref)
        select ${comercio.id}, ${id}, ${comercio.moneda}, t.guias, t.cobrado, a.ajustes, coalesce(t.desde, a.desde),
          ${until}, ${creada_en}, ${operator.id}, ${ref}
        from (select count(*) as guias, coalesce(sum(cod_cobrado), 0) as cobrado, min(cobrado_en) as desde from tomados) t
        cross join (select count(*) as cuantos, coalesce(sum(monto), 0) as ajustes, min(creado_en) as desde from ajustados) a
        where t.guias > 0 or a.cuantos > 0
        returning ${raw(COLUMNS)}
      )
      select l.*, ${raw(COMERCIO)} from nueva l`,
    { name: 'liquidacion-settle', types: exactTypes },
  );
}

const LOCK = `${SELECT}
  where id = $1 and (select prueba_de is not null from comercios where id = l.comercio_id) = $2 for update of l`;

/** Locks a settlement until the end of the transaction. No row: unknown, or of the other mode. */
export function lockLiquidacion(id: string, { isTest }: Operator): QueryConfig {
  return { name: 'liquidacion-pay-lock', text: LOCK, values: [id, isTest], types: exactTypes };
}

/** Marks a locked settlement as paid, and returns it. */
export function pay(
  { comercio_id, id }: LiquidacionRow,
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
export function correctPayment({ comercio_id, id }: LiquidacionRow, referencia_pago: string): QueryConfig {
  const text = `update liquidaciones l set referencia_pago = $3 where comercio_id = $1 and id = $2
    returning ${COLUMNS}, ${COMERCIO}`;
  return { text, values: [comercio_id, id, referencia_pago], types: exactTypes };
}

/** The first `rows` settlements of somebody after `after`, newest first. */
export function listLiquidaciones(
  whose: Whose,
  { after, rows }: { after?: { id: string }; rows: number },
): QueryConfig {
  const page = (where: Sql, name?: string) =>
    statement(
      sql`${raw(SELECT)} where ${where} and id < ${after?.id ?? HIGHEST_ID} order by id desc limit ${rows}`,
      { name, types: exactTypes },
    );
  if ('comercioId' in whose) return page(sql`comercio_id = ${whose.comercioId}`, 'liquidaciones-list');
  return whose.comercio === undefined
    ? page(isOfMode(whose), 'liquidaciones-list-all')
    : page(sql`comercio_id = ${idAmong(whose)}`);
}

/** A settlement of a merchant, or of any, real or test. */
export function findLiquidacion(whose: Whose, id: string): QueryConfig {
  const isOfOne = 'comercioId' in whose;
  return statement(
    sql`${raw(SELECT)} where id = ${id} and ${isOfOne ? sql`comercio_id = ${whose.comercioId}` : isOfMode(whose)}`,
    { name: isOfOne ? 'liquidacion-one' : 'liquidacion-any', types: exactTypes },
  );
}
