import type { CountryCode } from 'libphonenumber-js';

/** Property of a parsed body and query: the merchant's country. The guard sets it, because a pipe cannot see the request. */
export const COUNTRY = Symbol('country');

/** Property of a parsed body and query: the merchant's currency, ISO 4217. */
export const CURRENCY = Symbol('currency');

/** A parsed body or query. */
export interface WithCountry {
  [COUNTRY]?: CountryCode;
  [CURRENCY]?: string;
}
