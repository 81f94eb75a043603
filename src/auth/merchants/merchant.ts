import type { CountryCode } from 'libphonenumber-js';

export interface Merchant {
  id: string;
  name: string;
  /** Country of phone numbers without a `+`. */
  country: CountryCode;
  /** ISO 4217. */
  currency: string;
  /** Whether it is the test twin of a merchant: nothing of it is real. */
  isTest: boolean;
}
