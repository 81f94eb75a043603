import type { QueryConfig } from 'pg';

/** Contents of the next settlement; amounts are texts with two decimals. */
export interface PendingRow {
  guias: number;
  cobrado: string;
  ajustes: string;
  /** Both together. */
  neto: string;
}

/** One row: what was collected and is not settled, and the pending adjustments. */
export function pendingMoney(comercioId: string): QueryConfig {
  return {
    text: `select guias, cobrado::text, ajustes::text, (cobrado + ajustes)::text as neto from (
        select count(*)::int as guias, coalesce(sum(cod_cobrado), 0.00) as cobrado from cobros
        where comercio_id = $1 and estado = 'cobrado'
      ) c, (
        select coalesce(sum(monto), 0.00) as ajustes from ajustes where comercio_id = $1 and liquidacion_id is null
      ) a`,
    values: [comercioId],
  };
}
