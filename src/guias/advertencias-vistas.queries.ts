import type { QueryConfig } from 'pg';
import { sql, statement, type Sql } from '../platform/database/sql.js';
import type { Attendant } from './guia/guia-advertencia.js';

/** SQL condition: the side has seen warning `a.codigo` of guide `g`. `offset 0` looks it up guide by guide, by the key. */
export const isSeenBy = (side: Attendant) => `exists (select from advertencias_vistas v
  where v.comercio_id = g.comercio_id and v.guia_id = g.id and v.lado = '${side}' and v.codigo = a.codigo offset 0)`;

/** @param guia its number. A guide that no longer has the warning stays as it is. */
export function markSeen(comercioId: string, guia: string, side: Attendant, codigo: string): QueryConfig {
  return statement(sql`insert into advertencias_vistas (comercio_id, guia_id, lado, codigo, vista_en)
    select comercio_id, id, ${side}::text, ${codigo}::text, now() from guias
    where comercio_id = ${comercioId} and guia = ${guia} and ${codigo}::text = any (advertencias)
    on conflict do nothing`);
}

/** Of warnings that a `Change` clears: they stand again if they come back. */
export const forgetSeen = (codigos: readonly string[]): Sql =>
  sql`delete from advertencias_vistas v using cambio
    where v.comercio_id = cambio.comercio_id and v.guia_id = cambio.guia_id and v.codigo = any (${codigos})`;
