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

/** Standard of ECMA-402; Node 20 has it as a property, newer versions as a function, TypeScript as neither. */
interface LocaleWithZones {
  timeZones?: string[];
  getTimeZones?: () => string[] | undefined;
}

/** The IANA time zone of a country, by its ISO 3166 code; UTC where it is not known. */
export function timeZoneOf(country: string): string {
  if (Object.hasOwn(CHOSEN, country)) return CHOSEN[country]!;
  try {
    // TypeScript's `Intl.Locale` has neither of the two forms.
    const locale = new Intl.Locale('es', { region: country }) as unknown as LocaleWithZones;
    return (locale.getTimeZones?.() ?? locale.timeZones)?.[0] ?? 'UTC';
  } catch {
    return 'UTC';
  }
}
