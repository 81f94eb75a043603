/**
 * SQL conditions of the guides whose amount is not collected, keyed by the `estado` that `GET /cobros` shows. The partial
 * indexes of `guias` have the same text: PostgreSQL compares it.
 */
export const UNCOLLECTED = {
  por_cobrar: `cod_amount > 0 and estado not in ('entregado', 'cancelado', 'devuelto', 'extraviado')`,
  sin_cobro: `cod_amount > 0 and estado in ('cancelado', 'devuelto', 'extraviado')`,
} as const;

/** SQL condition of `cobros`: of a guide that is not delivered, its settled amount that was taken back. */
export const TAKEN_BACK = 'liquidacion_id is not null and pago is null';

/**
 * SQL condition of `cobros`: the amount counts in the difference between what was collected and what was due. What was paid to
 * the merchant does not, nor what was taken back.
 */
export const IN_DIFERENCIA = `pago is distinct from 'directo' and (pago is not null or cod_amount = 0)`;
