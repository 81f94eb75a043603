/** An amount with its currency. @param currency ISO 4217. */
export function money(amount: number, currency: string): string {
  return new Intl.NumberFormat('es-GT', { style: 'currency', currency, currencyDisplay: 'code' }).format(
    amount,
  );
}
