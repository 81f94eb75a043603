import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import { raw, sql, statement, type Sql } from '../../platform/database/sql.js';
import type { CurrentGuia } from './guia-changes.queries.js';
import type { Collected } from '../guia/pago.js';
import { TAKEN_BACK } from '../guia/uncollected.js';
import type { StoredCobro } from './cobro-correction.js';

type Guia = Pick<CurrentGuia, 'comercio_id' | 'id' | 'cod_amount'>;

export interface DeliveredCobro extends Collected {
  /** When, ISO 8601; null: now. */
  at: string | null;
  /** The driver whose cash it is; null for nobody's. */
  piloto: string | null;
}

export interface LockedCobro extends StoredCobro {
  /** The driver who carries it. */
  piloto_id: string | null;
}

const LOCK =
  'select liquidacion_id, cod_cobrado, pago, piloto_id from cobros where comercio_id = $1 and guia_id = $2 for update';

/** Locks the amount of a guide, which waits for a settlement of it. No row where nothing was due or collected. */
export function lockCobro({ comercio_id, id }: Guia): QueryConfig {
  return { name: 'cobro-lock', text: LOCK, values: [comercio_id, id] };
}

const rowOf = (
  { comercio_id, id, cod_amount }: Guia,
  { cod_cobrado, pago, at, piloto }: DeliveredCobro,
): Sql =>
  sql`insert into cobros (comercio_id, guia_id, cod_amount, cod_cobrado, cobrado_en, piloto_id, pago, estado)
    select ${comercio_id}::uuid, ${id}::uuid, ${cod_amount}::numeric, ${cod_cobrado}::numeric,
      greatest(least(${at}::timestamptz, clock_timestamp()), to_timestamp(0)), ${piloto}::uuid, ${pago}::text,
      ${pago === 'directo' ? 'sin_cobro' : 'cobrado'}::text`;

/** The amount collected by a `Change` that delivers a guide which has none yet. */
export const insertCobro = (guia: Guia, cobro: DeliveredCobro): Sql => sql`${rowOf(guia, cobro)} from cambio`;

/**
 * Records the amount collected of a delivered guide; time and driver of a recorded amount stay. No row where it has a settled
 * amount, from a delivery that was taken back: see `saveSettled`.
 */
export function saveCobro(guia: Guia, cobro: DeliveredCobro): QueryConfig {
  const text = sql`${rowOf(guia, cobro)}
    on conflict on constraint cobros_pkey do update set cod_cobrado = excluded.cod_cobrado, pago = excluded.pago,
      estado = excluded.estado, cobrado_en = coalesce(cobros.cobrado_en, excluded.cobrado_en),
      piloto_id = coalesce(cobros.piloto_id, excluded.piloto_id)
    where cobros.liquidacion_id is null`;
  return statement(text, { name: 'cobro-save' });
}

/** Changes a settled amount: it stays in its settlement with the settled one. @param pago null of a delivery that is taken back. */
export function saveSettled(
  { comercio_id, id, cod_amount }: Guia,
  { cod_cobrado, pago }: Collected,
  pilotoId: string | null,
): QueryConfig {
  return statement(sql`update cobros set liquidado = coalesce(liquidado, cod_cobrado), cod_amount = ${cod_amount},
      cod_cobrado = ${cod_cobrado}, pago = ${pago}, piloto_id = ${pilotoId}
    where comercio_id = ${comercio_id} and guia_id = ${id} and liquidacion_id is not null`);
}

/**
 * Sets the amount due of a settled amount whose delivery was taken back, by a `Change`; nothing of any other, nor without one:
 * guides do not change it once they are delivered.
 */
export const saveDue = (cod_amount: number): Sql =>
  sql`update cobros set cod_amount = ${cod_amount} from cambio
    where cobros.comercio_id = cambio.comercio_id and cobros.guia_id = cambio.guia_id and ${raw(TAKEN_BACK)}`;

/** Adds the difference of a settled amount to the next settlement; nothing where it is the same. */
export function adjust(
  { comercio_id, id }: Guia,
  { now, before }: { now: number; before: string | null },
  motivo: string,
  operadorId: string | null,
): QueryConfig {
  const difference = sql`${now}::numeric - ${before ?? 0}::numeric`;
  return statement(
    sql`insert into ajustes (comercio_id, id, guia_id, moneda, monto, motivo, creado_en, operador_id, automatico)
      select c.id, ${v7()}::uuid, ${id}::uuid, c.moneda, ${difference}, ${motivo}::text, clock_timestamp(),
        ${operadorId}::uuid, true
      from comercios c where c.id = ${comercio_id} and ${difference} <> 0`,
  );
}

/**
 * Whether a locked amount is one that was settled, and of which nothing is collected since its delivery was taken back: another
 * delivery with nothing due leaves it so.
 */
export function isTakenBack({ liquidacion_id, pago, cod_cobrado }: Omit<LockedCobro, 'piloto_id'>): boolean {
  return liquidacion_id !== null && pago === null && Number(cod_cobrado) === 0;
}

/** Removes the amount of a guide of which nothing was due, and nothing was collected after all. */
export function deleteCobro({ comercio_id, id }: Guia): QueryConfig {
  const text = 'delete from cobros where comercio_id = $1 and guia_id = $2';
  return { name: 'cobro-delete', text, values: [comercio_id, id] };
}
