import type { CountryCode } from 'libphonenumber-js';
import type { QueryConfig } from 'pg';
import { SEPARATORS, withoutSeparators } from '../../../guias/search/search-terms.js';
import { isUuid } from '../../../platform/database/row-id.js';
import { join, raw, sql, statement } from '../../../platform/database/sql.js';
import { textTypes } from '../../../platform/database/text-types.js';
import type { LiquidacionRow } from '../../../cobros/liquidaciones.queries.js';

export interface FoundSettlement extends Pick<
  LiquidacionRow,
  'id' | 'comercio' | 'moneda' | 'pagada_en' | 'referencia_pago'
> {
  pais: CountryCode;
  /** Paid, or to be paid. */
  neto: string;
}

const MAX_SETTLEMENTS = 20;

/** Settlements by their id, or by the bank's reference of their payment. @param merchants null for all. */
export function settlementsBy(typed: string, merchants: string[] | null): QueryConfig {
  const id = isUuid(typed) ? typed : null;
  // In the locale of a database `lower` may leave other letters than those of ASCII as they are.
  const reference = withoutSeparators(typed) || null;
  const variants = [reference, reference?.toLowerCase(), reference?.toUpperCase()];
  return statement(
    sql`select l.id, c.nombre as comercio, c.pais, l.moneda, (l.cobrado + l.ajustes)::text as neto, l.pagada_en,
        l.referencia_pago
      from liquidaciones l join comercios c on c.id = l.comercio_id
      where (l.id = ${id}::uuid or translate(lower(l.referencia_pago), ${raw(`'${SEPARATORS}'`)}, '')
          in (${join(variants.map((text) => sql`lower(${text})`))}))
        and (${merchants}::uuid[] is null or l.comercio_id = any (${merchants}::uuid[]))
      order by l.id desc limit ${MAX_SETTLEMENTS}`,
    { types: textTypes },
  );
}
