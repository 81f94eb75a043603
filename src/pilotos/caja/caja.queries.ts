import type { QueryConfig } from 'pg';
import { raw, sql, statement } from '../../platform/database/sql.js';
import { v7 } from 'uuid';
import type { Operator } from '../../auth/operators/operator.js';
import { HIGHEST_ID } from '../../platform/database/row-id.js';
import type { TextRow } from '../../platform/database/text-row.js';
import { exactTypes } from '../../platform/database/text-types.js';
import type { CajaEntrega } from './caja-entrega.entity.js';

/** Cash of one guide, and of all guides of its currency as `total`; amounts are texts. */
export interface LlevadoRow {
  moneda: string;
  total: string;
  guia: string;
  id: string;
  monto: string;
}

/** A hand-over; amounts are texts, the time is ISO 8601. */
export interface EntregaRow extends TextRow<
  CajaEntrega,
  'id' | 'moneda' | 'esperado' | 'monto' | 'nota' | 'creada_en'
> {
  diferencia: string;
}

interface NewEntrega {
  moneda: string;
  monto: number;
  nota?: string;
  ref?: string;
}

/** The driver's cash of real guides, or of tests. */
export interface CajaKey {
  pilotoId: string;
  isTest: boolean;
}

const CARRIED = `select m.moneda, sum(sum(m.monto)) over (partition by m.moneda) as total, g.guia, g.id, sum(m.monto) as monto
  from caja_movimientos m join guias g on g.comercio_id = m.comercio_id and g.id = m.guia_id
  where m.piloto_id = $1 and m.de_prueba = $2 and m.entrega_id is null
  group by m.moneda, g.guia, g.id having sum(m.monto) <> 0 order by m.moneda, g.id`;

/** Cash of a driver, by currency. */
export function findCarried({ pilotoId, isTest }: CajaKey): QueryConfig {
  return { name: 'caja-carried', text: CARRIED, values: [pilotoId, isTest], types: exactTypes };
}

const COLUMNS = raw('id, moneda, esperado, monto, monto - esperado as diferencia, nota, creada_en');

/** The hand-over that an operator recorded for a driver under this `ref`. */
export function findEntregaByRef(
  { pilotoId, isTest }: CajaKey,
  operadorId: string,
  ref: string,
): QueryConfig {
  return statement(
    sql`select ${COLUMNS} from caja_entregas
      where operador_id = ${operadorId} and piloto_id = ${pilotoId} and de_prueba = ${isTest} and ref = ${ref}`,
    { types: exactTypes },
  );
}

/**
 * Hands over all cash of one currency of a locked driver. Returns the hand-over, with `lleva` false where the driver
 * carried nothing of any guide; no row where there was nothing at all.
 */
export function handOver(
  { pilotoId, isTest }: CajaKey,
  { moneda, monto, nota, ref }: NewEntrega,
  { id: operadorId }: Operator,
): QueryConfig {
  const id = v7();
  // `tomados`: marks what was recorded until now; amounts of deliveries under way stay with the driver.
  return statement(
    sql`with tomados as (
        update caja_movimientos set entrega_id = ${id}
        where piloto_id = ${pilotoId} and de_prueba = ${isTest} and moneda = ${moneda} and entrega_id is null
        returning comercio_id, guia_id, monto
      ), nueva as (
        insert into caja_entregas (id, piloto_id, de_prueba, moneda, esperado, monto, nota, creada_en, operador_id, ref)
        select ${id}, ${pilotoId}, ${isTest}, ${moneda}, sum(monto), ${monto}, ${nota}, clock_timestamp(), ${operadorId}, ${ref}
        from tomados having count(*) > 0
        returning ${COLUMNS}
      )
      select nueva.*, exists (select from tomados group by comercio_id, guia_id having sum(monto) <> 0) as lleva from nueva`,
    { types: exactTypes },
  );
}

/** The first `rows` hand-overs of a driver after `after`, newest first. */
export function listEntregas(
  { pilotoId, isTest }: CajaKey,
  { after, rows }: { after?: { id: string }; rows: number },
): QueryConfig {
  return statement(
    sql`select ${COLUMNS} from caja_entregas
      where piloto_id = ${pilotoId} and de_prueba = ${isTest} and id < ${after?.id ?? HIGHEST_ID}
      order by id desc limit ${rows}`,
    { types: exactTypes },
  );
}
