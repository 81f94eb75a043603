/** Whether a driver has handed over more than they collected. @param monto with a sign, as a plain number. */
export const isOwed = (monto: string): boolean => Number(monto) < 0;

/** The carried amount, or that it is to be given back. @param texto the amount as it is written. */
export const carriedText = (monto: string, texto: string): string =>
  isOwed(monto) ? `Devolverle ${texto.replace('−', '')}` : texto;

/** A driver's balance in words. @param monto negative where the driver owes. @param texto the amount as it is written. */
export const balanceText = (monto: string, texto: string): string =>
  isOwed(monto) ? `debe ${texto.replace('−', '')}` : `a favor ${texto}`;
