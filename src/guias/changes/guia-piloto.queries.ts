import type { QueryConfig } from 'pg';
import type { LockedGuia } from './guia-changes.queries.js';

/** The last assignment until then; before the first one, the first. */
const AT = `select datos->>'piloto' as piloto from eventos
  where comercio_id = $1 and guia_id = $2 and tipo = 'guia.asignada'
  order by creado_en <= $3 desc, abs(extract(epoch from creado_en - $3::timestamptz)), id desc limit 1`;

/** The driver of a guide at a time, ISO 8601; no row for a guide that was never assigned. */
export function findPilotoAt(
  { comercio_id, id }: Pick<LockedGuia, 'comercio_id' | 'id'>,
  at: string,
): QueryConfig {
  return { name: 'guia-piloto-at', text: AT, values: [comercio_id, id, at] };
}
