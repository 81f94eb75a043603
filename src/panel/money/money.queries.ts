import type { QueryConfig } from 'pg';
import { COLLECTED_ESTADOS } from '../../cobros/cobro-estado.js';

/** What was collected on a day; amounts are texts with two decimals. */
export interface DayRow {
  /** Where the merchant is, like `2026-11-21`. */
  dia: string;
  guias: number;
  cobrado: string;
  diferencia: string;
}

/** The days since a time on which something was collected, the last first. @param zone IANA time zone. */
export function cobrosByDay(comercioId: string, since: Date, zone: string): QueryConfig {
  const text = `select to_char(cobrado_en at time zone $3, 'YYYY-MM-DD') as dia, count(*)::int as guias,
      sum(cod_cobrado)::text as cobrado, sum(cod_cobrado - cod_amount)::text as diferencia
    from cobros where comercio_id = $1 and estado = any ($4) and cobrado_en >= $2 group by 1 order by 1 desc`;
  return { text, values: [comercioId, since, zone, COLLECTED_ESTADOS] };
}
