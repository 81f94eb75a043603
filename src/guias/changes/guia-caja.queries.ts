import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import { sql, statement, type Sql } from '../../platform/database/sql.js';
import type { CurrentGuia } from './guia-changes.queries.js';

type Guia = Pick<CurrentGuia, 'comercio_id' | 'id' | 'de_prueba'>;

/**
 * SQL that records that a driver carries another amount of a guide; nothing where it is the same.
 * @param collected what was collected in cash now and before.
 */
export const caja = (
  { comercio_id, id, de_prueba }: Guia,
  pilotoId: string,
  { now, before }: { now: number; before: string | number | null },
): Sql => sql`insert into caja_movimientos (comercio_id, id, guia_id, piloto_id, de_prueba, moneda, monto, creado_en)
  select ${comercio_id}, ${v7()}, ${id}, ${pilotoId}, ${de_prueba}, c.moneda, ${now}::numeric - ${before ?? 0}::numeric, clock_timestamp()
  from comercios c where c.id = ${comercio_id} and ${now}::numeric <> ${before ?? 0}::numeric`;

export const changeCaja = (...of: Parameters<typeof caja>): QueryConfig =>
  statement(caja(...of), { name: 'caja-change' });

const LOCK = 'select from pilotos where id = $1 for no key update';

/** Locks a driver's cash until the end of the transaction, after guide and cobro. No row: unknown. */
export function lockPiloto(id: string): QueryConfig {
  return { name: 'caja-lock', text: LOCK, values: [id] };
}

const HANDED = `select from caja_movimientos
  where comercio_id = $1 and guia_id = $2 and piloto_id = $3 and entrega_id is not null
  having sum(monto) <> 0`;

/** A row if a locked driver has handed over cash of the guide. */
export function findHandedOver({ comercio_id, id }: Guia, pilotoId: string): QueryConfig {
  return { text: HANDED, values: [comercio_id, id, pilotoId] };
}
