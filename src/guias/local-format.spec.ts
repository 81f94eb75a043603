import { getCountries } from 'libphonenumber-js';
import { timeZoneOf } from './local-format.js';

describe('timeZoneOf', () => {
  it.each([
    ['GT', 'America/Guatemala'],
    ['MX', 'America/Mexico_City'],
    ['SV', 'America/El_Salvador'],
    ['CO', 'America/Bogota'],
    ['ES', 'Europe/Madrid'],
    ['US', 'America/New_York'],
    ['CL', 'America/Santiago'],
    ['XX', 'UTC'],
    ['', 'UTC'],
    ['no country', 'UTC'],
  ])('of %j is %s', (country, zone) => expect(timeZoneOf(country)).toBe(zone));

  it('is known to Intl for every country that a merchant may have', () => {
    for (const country of getCountries())
      expect(() => new Intl.DateTimeFormat('es', { timeZone: timeZoneOf(country) })).not.toThrow();
  });
});
