import type { QueryConfig } from 'pg';
import { COLLECTED_ESTADOS, type CobroEstado } from '../../../cobros/cobro-estado.js';
import { IN_DIFERENCIA } from '../../../guias/guia/uncollected.js';

/** Sums of a day; amounts are texts with two decimals. */
export interface DayRow {
  /** Where the merchant is, like `2026-11-21`. */
  dia: string;
  guias: number;
  cobrado: string;
  diferencia: string;
}

/** Amounts that are summed by day, the last ones. */
const MAX_SUMMED = 20_000;

const lastOf = (estado: CobroEstado) => `(select cobrado_en, cod_cobrado, cod_amount, pago from cobros
  where comercio_id = $1 and estado = '${estado}' and cobrado_en >= $2 order by cobrado_en desc limit ${MAX_SUMMED})`;

const BY_DAY = `select to_char(cobrado_en at time zone $3, 'YYYY-MM-DD') as dia, count(*)::int as guias,
    sum(cod_cobrado)::text as cobrado,
    coalesce(sum(cod_cobrado - cod_amount) filter (where ${IN_DIFERENCIA}), 0.00)::text as diferencia
  from (
    select * from (${COLLECTED_ESTADOS.map(lastOf).join(' union all ')}) c order by cobrado_en desc limit ${MAX_SUMMED}
  ) c group by 1 order by 1 desc`;

/** The days since a time on which something was collected, the last first. @param zone IANA time zone. */
export function cobrosByDay(comercioId: string, since: Date, zone: string): QueryConfig {
  return { text: BY_DAY, values: [comercioId, since, zone] };
}

/** The days that were summed whole: the earliest one was not, where there are more amounts than are summed. */
export function wholeDays(days: DayRow[]): DayRow[] {
  const count = days.reduce((sum, { guias }) => sum + guias, 0);
  return count < MAX_SUMMED || days.length === 1 ? days : days.slice(0, -1);
}
