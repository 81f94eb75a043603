import type { CountryCode } from 'libphonenumber-js';
import { timeZoneOf as firstZoneOf } from '../../guias/local-format.js';

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

/** The IANA time zone of a country, by its ISO 3166 code; UTC where it is not known. */
export function timeZoneOf(country: string): string {
  if (Object.hasOwn(CHOSEN, country)) return CHOSEN[country]!;
  try {
    return firstZoneOf(country as CountryCode);
  } catch {
    return 'UTC';
  }
}
