import type { QueryConfig } from 'pg';
import { textTypes } from '../../../platform/database/text-types.js';

/** The way of the amount collected of a guide; times are ISO 8601. */
export interface CobroDeGuia {
  cobrado_en: string | null;
  /** Id of its settlement; null, like the next fields, until there is one. */
  liquidacion: string | null;
  liquidada_en: string | null;
  /** Null if the settlement has not been paid, like `referencia_pago`. */
  pagada_en: string | null;
  /** The bank's. */
  referencia_pago: string | null;
}

const OF_GUIA = `select c.cobrado_en, l.id as liquidacion, l.creada_en as liquidada_en, l.pagada_en, l.referencia_pago
  from cobros c left join liquidaciones l on l.comercio_id = c.comercio_id and l.id = c.liquidacion_id
  where c.comercio_id = $1 and c.guia_id = $2`;

/** A row if the guide was delivered with an amount to collect. */
export function cobroOfGuia(comercioId: string, guiaId: string): QueryConfig {
  return { text: OF_GUIA, values: [comercioId, guiaId], types: textTypes };
}
