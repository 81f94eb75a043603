/** Ways in which an amount that was due was paid, and their names for people. */
export const PAGOS = {
  efectivo: 'en efectivo',
  tarjeta: 'con tarjeta',
  transferencia: 'por transferencia',
  directo: 'directo al comercio',
} as const;

export type Pago = keyof typeof PAGOS;

export const PAGO_CODES = Object.keys(PAGOS) as Pago[];

export const USUAL_PAGO: Pago = 'efectivo';

/** A collected amount; `pago` is null where nothing was due. */
export interface Collected<Amount = number> {
  cod_cobrado: Amount;
  pago: Pago | null;
}

/** Likewise, of which it may be unknown how it was paid. */
interface Paid<Amount> {
  cod_cobrado: Amount;
  pago?: Pago | null | undefined;
}

/** The part of it that a driver carries; where nobody said how it was paid, or nothing was due, all of it. */
export function inCash<Amount>({ cod_cobrado, pago }: Paid<Amount>): Amount | 0 {
  return (pago ?? USUAL_PAGO) === 'efectivo' ? cod_cobrado : 0;
}
