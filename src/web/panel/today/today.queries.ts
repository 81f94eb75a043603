import type { QueryConfig } from 'pg';

/** Whether the merchant has no guide at all. */
export function hasNone(comercioId: string): QueryConfig {
  return {
    text: 'select not exists (select from guias where comercio_id = $1) as es_nuevo',
    values: [comercioId],
  };
}
