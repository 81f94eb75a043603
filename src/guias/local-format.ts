import type { CountryCode } from 'libphonenumber-js';

/** Of countries with several time zones, the one of most of their people. */
const CHOSEN: Record<string, string> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CL: 'America/Santiago',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  MX: 'America/Mexico_City',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  US: 'America/New_York',
};

/** How people of a country write a currency: `Q`, `RD$`; `USD` where it is not their own. */
export function currencySymbol(currency: string, country: CountryCode): string {
  const format = new Intl.NumberFormat(`es-${country}`, { style: 'currency', currency });
  return format.formatToParts(0).find(({ type }) => type === 'currency')!.value;
}

/** Of amounts. The same for all countries: with one way to write them, nobody takes a comma for a point. */
const LOCALE = 'es-GT';

const AMOUNTS = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** An amount in groups of three digits: `12,345.67`. @param amount exact, with two decimals. */
export function groupedAmount(amount: string): string {
  return AMOUNTS.format(Number(amount));
}

/** An amount, grouped, with the code of its currency: `GTQ 12,345.67`. @param currency ISO 4217. */
export function money(amount: number, currency: string): string {
  return new Intl.NumberFormat(LOCALE, { style: 'currency', currency, currencyDisplay: 'code' }).format(
    amount,
  );
}

/** The IANA time zone of a country, by its ISO 3166 code; UTC where it is not known. */
export function timeZoneOf(country: string): string {
  if (Object.hasOwn(CHOSEN, country)) return CHOSEN[country]!;
  try {
    // The standard changed this from a property to a method: Node 20 has the property, Node 24 the method.
    const locale = new Intl.Locale(`es-${country}`) as { getTimeZones?(): string[]; timeZones?: string[] };
    return (locale.getTimeZones?.() ?? locale.timeZones)?.[0] ?? 'UTC';
  } catch {
    return 'UTC';
  }
}
