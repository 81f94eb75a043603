import countryToCurrency from 'country-to-currency';
import type { CountryCode } from 'libphonenumber-js';

/** Currencies of countries that the package leaves out: they have a calling code, but no ISO 3166 code. */
const OTHERS = { AC: 'SHP', TA: 'GBP' } as const;

const CURRENCIES: Record<CountryCode, string> = { ...countryToCurrency, ...OTHERS };

/** ISO 4217 code of a country's currency. */
export function currencyOf(country: CountryCode): string {
  return CURRENCIES[country];
}

/** Whether a text is an ISO 4217 code. */
export function isCurrency(text: string): boolean {
  return Intl.supportedValuesOf('currency').includes(text);
}
