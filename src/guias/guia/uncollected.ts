/**
 * SQL conditions of the guides whose amount is not collected, keyed by the `estado` that `GET /cobros` shows. The partial
 * indexes of `guias` have the same text: PostgreSQL compares it.
 */
export const UNCOLLECTED = {
  por_cobrar: `cod_amount > 0 and estado not in ('entregado', 'cancelado', 'devuelto', 'extraviado')`,
  sin_cobro: `cod_amount > 0 and estado in ('cancelado', 'devuelto', 'extraviado')`,
} as const;
