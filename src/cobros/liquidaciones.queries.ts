import type { QueryConfig } from 'pg';
import type { Operator } from '../auth/operators/operator.js';
import { exactTypes } from '../database/text-types.js';
import { recordEvento } from '../events/record-evento.js';
import { HIGHEST_ID } from '../database/row-id.js';
import { traceparent } from '../tracing/spans.js';

/** A settlement; times are ISO 8601, the amount is a text. */
export interface LiquidacionRow {
  id: string;
  /** The merchant, also of a settlement of its test guides. */
  comercio: string;
  moneda: string;
  guias: number;
  cobrado: string;
  desde: string;
  hasta: string;
  creada_en: string;
  pagada_en: string | null;
  referencia_pago: string | null;
  pago_operador_id: string | null;
  pago_ref: string | null;
}

export const LIQUIDACION_COLUMNS = [
  'id',
  'comercio_id',
  'moneda',
  'guias',
  'cobrado',
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

/**
 * Settlements of one merchant run one after the other: the lock of its row keeps them from waiting for each other's
 * guides in different orders. A later one reads the state of a guide again once it has waited for it.
 * `hasta` is not later than the settlement itself, because more may be collected after that. It is given in milliseconds:
 * PostgreSQL cannot read every ISO 8601 year.
 */
const settling = (merchant: string) => `with comercio as (
  select id, moneda, ahora, least(to_timestamp($3::float8 / 1000)::timestamptz(3), ahora) as hasta
  from comercios, (select clock_timestamp()::timestamptz(3) as ahora) reloj
  where ${merchant} for no key update of comercios
), repetida as (
  select ${COLUMNS} from liquidaciones
  where operador_id = $4 and comercio_id = (select id from comercio) and ref = $5
), tomados as (
  update cobros c set liquidacion_id = $2, estado = 'liquidado'
  from comercio m
  where c.comercio_id = m.id and c.estado = 'cobrado' and c.cobrado_en <= m.hasta
    and not exists (select from repetida)
  returning c.cod_cobrado, c.cobrado_en
), nueva as (
  insert into liquidaciones (comercio_id, id, moneda, guias, cobrado, desde, hasta, creada_en, operador_id, ref)
  select m.id, $2, m.moneda, t.guias, t.cobrado, t.desde, m.hasta, m.ahora, $4, $5
  from comercio m cross join (
    select count(*) as guias, sum(cod_cobrado) as cobrado, min(cobrado_en) as desde from tomados
  ) t where t.guias > 0
  returning ${COLUMNS}
)
select l.*, ${COMERCIO} from comercio m left join (select * from nueva union all select * from repetida) l on true`;

const SETTLE = { name: 'liquidacion-settle', text: settling('id = $1 and prueba_de is null') };

/** Of the merchant's test twin. */
const SETTLE_TEST = { name: 'liquidacion-settle-test', text: settling('prueba_de = $1') };

/**
 * Settles everything collected for a merchant up to a time, in one statement. Returns the settlement, or the existing
 * one with the same `ref`; a row of nulls if there was nothing to settle; no row if the merchant does not exist.
 * @param hasta in ms since 1970; until now if absent or in the future.
 */
export function settle(
  { comercio, hasta, ref }: { comercio: string; hasta?: number; ref?: string },
  operator: Operator,
  id: string,
): QueryConfig {
  const values = [comercio, id, hasta, operator.id, ref];
  return { ...(operator.isTest ? SETTLE_TEST : SETTLE), values, types: exactTypes };
}

const PAY = `with propia as (
  select id from liquidaciones l where id = $1
    and (select prueba_de is not null from comercios where id = l.comercio_id) = $6
), pagada as (
  update liquidaciones set pagada_en = clock_timestamp(), referencia_pago = $2, pago_operador_id = $3, pago_ref = $4
  where id = (select id from propia) and pagada_en is null
  returning ${COLUMNS}
), evento as (
  ${recordEvento({ from: 'pagada', id: '$5::uuid', tipo: 'liquidacion.pagada', actor: 'operador', secuencia: '1', traza: '$7::text' })}
)
select l.*, ${COMERCIO}, true as es_nueva from pagada l
union all select ${COLUMNS}, ${COMERCIO}, false from liquidaciones l
  where id = (select id from propia) and not exists (select from pagada)`;

/** Marks a settlement as paid and records it, once. Returns it, with `es_nueva` if it was not paid before. */
export function pay(
  id: string,
  { referencia_pago, ref }: { referencia_pago: string; ref?: string },
  operator: Operator,
  eventoId: string,
): QueryConfig {
  const values = [id, referencia_pago, operator.id, ref, eventoId, operator.isTest, traceparent()];
  return { name: 'liquidacion-pay', text: PAY, values, types: exactTypes };
}

const LIST = `select ${COLUMNS}, ${COMERCIO} from liquidaciones l where comercio_id = $1 and id < $2 order by id desc limit $3`;

/** The first `rows` settlements of a merchant after `after`, newest first. */
export function listLiquidaciones(
  comercioId: string,
  { after, rows }: { after?: { id: string }; rows: number },
): QueryConfig {
  const values = [comercioId, after?.id ?? HIGHEST_ID, rows];
  return { name: 'liquidaciones-list', text: LIST, values, types: exactTypes };
}

const ONE = `select ${COLUMNS}, ${COMERCIO} from liquidaciones l where comercio_id = $1 and id = $2`;

export function findLiquidacion(comercioId: string, id: string): QueryConfig {
  return { name: 'liquidacion-one', text: ONE, values: [comercioId, id], types: exactTypes };
}
