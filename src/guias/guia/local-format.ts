import type { CountryCode } from 'libphonenumber-js';
import { amountWith } from './grouped-amount.js';

/** By country and currency: finding one takes as long as the rest of a page. */
const symbols = new Map<string, string>();

/** How people of a country write a currency: `Q`, `RD$`; `USD` where it is not their own. */
export function currencySymbol(currency: string, country: CountryCode): string {
  const key = `${country} ${currency}`;
  let symbol = symbols.get(key);
  if (symbol === undefined) {
    symbol = findSymbol(currency, country);
    symbols.set(key, symbol);
  }
  return symbol;
}

function findSymbol(currency: string, country: CountryCode): string {
  const format = new Intl.NumberFormat(`es-${country}`, { style: 'currency', currency });
  return format.formatToParts(0).find(({ type }) => type === 'currency')!.value;
}

/**
 * An amount as people of a country write it, which keeps together: `Q 12,345.67`, `−Q 100.00`.
 * @param amount exact, with two decimals, where it is a text. @param currency ISO 4217.
 */
export function money(amount: number | string, currency: string, country: CountryCode): string {
  return amountWith(currencySymbol(currency, country), amount);
}
