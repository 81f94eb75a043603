import type { QueryConfig } from 'pg';

const BEGIN_PAUSE = `insert into pausas (proveedor, codigo, causa, desde) values ($1, $2, $3, now())
  on conflict (proveedor) do update set codigo = excluded.codigo, causa = excluded.causa
  where pausas.codigo <> excluded.codigo
  returning proveedor`;

/** Records why a provider is paused; returns a row only if it was not paused for that reason already. */
export function beginPause(proveedor: string, codigo: string, causa: string): QueryConfig {
  return { text: BEGIN_PAUSE, values: [proveedor, codigo, causa] };
}
