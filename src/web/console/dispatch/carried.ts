import { sumOf } from '../../../cobros/exact-amounts.js';
import { groupedAmount } from '../../../guias/guia/grouped-amount.js';

/** Whether a driver has handed over more than they collected. @param monto with a sign, as a plain number. */
export const isOwed = (monto: string): boolean => Number(monto) < 0;

/** The carried amount, or that it is to be given back. @param texto the amount as it is written. */
export const carriedText = (monto: string, texto: string): string =>
  isOwed(monto) ? `Devolverle ${texto.replace('−', '')}` : texto;

/** A driver's balance in words. @param monto negative where the driver owes. @param texto the amount as it is written. */
export const balanceText = (monto: string, texto: string, debe = 'debe'): string =>
  isOwed(monto) ? `${debe} ${texto.replace('−', '')}` : `a favor ${texto}`;

/** Of what was counted less what was expected. */
export function differenceText(difference: string): string {
  const amount = Number(difference);
  if (amount === 0) return 'completo';
  return amount < 0 ? `faltan ${groupedAmount(String(-amount))}` : `sobran ${groupedAmount(difference)}`;
}

/** The sum of each currency, and of how many amounts it is. */
export function sumsOf(all: readonly { moneda: string; monto: string }[]) {
  const sums = new Map<string, { moneda: string; monto: string; de: number }>();
  for (const { moneda, monto } of all) {
    const before = sums.get(moneda) ?? { monto: '0.00', de: 0 };
    sums.set(moneda, { moneda, monto: sumOf(before.monto, monto), de: before.de + 1 });
  }
  return [...sums.values()];
}
