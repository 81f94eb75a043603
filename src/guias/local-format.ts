import type { CountryCode } from 'libphonenumber-js';

/** How people of a country write a currency: `Q`, `RD$`; `USD` where it is not their own. */
export function currencySymbol(currency: string, country: CountryCode): string {
  const format = new Intl.NumberFormat(`es-${country}`, { style: 'currency', currency });
  return format.formatToParts(0).find(({ type }) => type === 'currency')!.value;
}

/** The first time zone of a country (IANA); UTC if it has none. */
export function timeZoneOf(country: CountryCode): string {
  // The standard made a method of what was a property: Node 20 has the one, Node 24 the other.
  const locale = new Intl.Locale(`es-${country}`) as { getTimeZones?(): string[]; timeZones?: string[] };
  return (locale.getTimeZones?.() ?? locale.timeZones)?.[0] ?? 'UTC';
}
