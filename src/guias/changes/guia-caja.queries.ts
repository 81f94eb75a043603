import type { QueryConfig } from 'pg';
import { newRowId } from '../../database/row-id.js';
import type { LockedGuia } from './guia-changes.queries.js';

type Guia = Pick<LockedGuia, 'comercio_id' | 'id' | 'de_prueba'>;

const CHANGE = `insert into caja_movimientos (comercio_id, id, guia_id, piloto_id, de_prueba, moneda, monto, creado_en)
  select $1, $2, $3, $4, $5, c.moneda, $6::numeric - $7::numeric, clock_timestamp()
  from comercios c where c.id = $1 and $6::numeric <> $7::numeric`;

/**
 * Records that a driver carries another amount of a guide; nothing where it is the same.
 * @param collected what was collected now and before.
 */
export function changeCaja(
  { comercio_id, id, de_prueba }: Guia,
  pilotoId: string,
  collected: { now: number; before: string | null },
): QueryConfig {
  const values = [comercio_id, newRowId(), id, pilotoId, de_prueba, collected.now, collected.before ?? 0];
  return { name: 'caja-change', text: CHANGE, values };
}

/** The last assignment until then; before the first one, the first. */
const AT = `select datos->>'piloto' as piloto from eventos
  where comercio_id = $1 and guia_id = $2 and tipo = 'guia.asignada'
  order by creado_en <= $3 desc, abs(extract(epoch from creado_en - $3::timestamptz)), id desc limit 1`;

/** The driver of a guide at a time, ISO 8601; no row for a guide that was never assigned. */
export function findPilotoAt({ comercio_id, id }: Guia, at: string): QueryConfig {
  return { name: 'guia-piloto-at', text: AT, values: [comercio_id, id, at] };
}
