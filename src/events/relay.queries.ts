import type { QueryConfig } from 'pg';

const CLAIM = `update eventos set despachado_en = now()
where ctid = any (array(
  select ctid from eventos where despachado_en is null order by id limit $1 for no key update skip locked
))
returning comercio_id, guia_id, id, tipo, secuencia`;

/**
 * Marks the oldest events as dispatched before they are: the mark is rolled back with the transaction. `ctid` is
 * stable while the row is locked: `eventos` has no partitions, and no other statement updates it.
 */
export function claimEventos(limit: number): QueryConfig {
  return { name: 'eventos-claim', text: CLAIM, values: [limit] };
}
