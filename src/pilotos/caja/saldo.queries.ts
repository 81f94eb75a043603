import type { QueryConfig } from 'pg';
import { sql, statement } from '../../platform/database/sql.js';
import { HIGHEST_ID } from '../../platform/database/row-id.js';
import type { CajaKey } from './caja.queries.js';
import type { CajaEntrega } from './caja-entrega.entity.js';
import type { SaldoMovimiento } from './saldo-movimiento.entity.js';

/** A driver's balance in one currency, negative where the driver owes; the amount is a text. */
export type SaldoRow = Pick<SaldoMovimiento, 'piloto_id' | 'moneda' | 'monto'>;

/** @param where SQL condition of both tables, which have the same columns. */
const saldos = (where: string) => `select piloto_id, moneda, sum(monto) as monto from (
    select piloto_id, moneda, monto - esperado as monto from caja_entregas where ${where}
    union all select piloto_id, moneda, monto from saldo_movimientos where ${where}
  ) saldo group by piloto_id, moneda having sum(monto) <> 0 order by moneda`;

/** A driver's balance: what was handed over too much or too little, and its movements; by currency, those of 0 left out. */
export function findSaldo({ pilotoId, isTest }: CajaKey): QueryConfig {
  return { text: saldos('piloto_id = $1 and de_prueba = $2'), values: [pilotoId, isTest] };
}

/** The balance of every driver, of real guides. */
export function allSaldos(): QueryConfig {
  return { text: saldos('not de_prueba') };
}

/** A hand-over with its difference, or a movement with its amount; amounts are texts. */
export interface MovimientoRow
  extends Pick<SaldoMovimiento, 'id' | 'moneda' | 'creado_en'>, Pick<CajaEntrega, 'nota'> {
  /** Null of a movement. */
  diferencia: string | null;
  /** Null of a hand-over, as `motivo`. */
  monto: string | null;
  motivo: string | null;
}

/** The first `rows` hand-overs and movements of a driver after `after`, newest first. */
export function listMovimientos(
  { pilotoId, isTest }: CajaKey,
  { after, rows }: { after?: { id: string }; rows: number },
): QueryConfig {
  const page = sql`piloto_id = ${pilotoId} and de_prueba = ${isTest} and id < ${after?.id ?? HIGHEST_ID}
    order by id desc limit ${rows}`;
  return statement(sql`(
      select id, moneda, creada_en as creado_en, monto - esperado as diferencia, nota, null::numeric as monto, null as motivo
      from caja_entregas where ${page}
    ) union all (
      select id, moneda, creado_en, null, null, monto, motivo from saldo_movimientos where ${page}
    ) order by id desc limit ${rows}`);
}
