import { getCountries } from 'libphonenumber-js';
import { dayOf, instantOf, isTimeZone, timeZoneOf } from './time-zone.js';

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
  ])('for country %j is %s', (country, zone) => expect(timeZoneOf(country)).toBe(zone));

  it('is known to Intl for every country that a merchant may have', () => {
    for (const country of getCountries())
      expect(() => new Intl.DateTimeFormat('es', { timeZone: timeZoneOf(country) })).not.toThrow();
  });
});

describe('isTimeZone', () => {
  it.each(['America/Guatemala', 'america/tegucigalpa', 'UTC', 'Etc/GMT+6', 'Pacific/Apia'])(
    'takes %s',
    (name) => expect(isTimeZone(name)).toBe(true),
  );

  it.each([
    '',
    'Guatemala',
    'comercio',
    '-06:00',
    '+05:30',
    'America/Guatemala ',
    'America/../UTC',
    'x'.repeat(9_000),
  ])('refuses %j', (name) => expect(isTimeZone(name)).toBe(false));
});

describe('a local time', () => {
  it.each<[local: string, zone: string, utc: string, why?: string]>([
    ['2026-11-21T15:04', 'America/Guatemala', '2026-11-21T21:04:00.000Z'],
    ['2026-11-21T15:04:05.678', 'America/Guatemala', '2026-11-21T21:04:05.678Z'],
    ['2026-11-21T00:00', 'UTC', '2026-11-21T00:00:00.000Z'],
    ['2026-07-01T12:00', 'Europe/Madrid', '2026-07-01T10:00:00.000Z'],
    ['2026-12-01T12:00', 'Europe/Madrid', '2026-12-01T11:00:00.000Z'],
    ['2026-03-29T00:30', 'Europe/Madrid', '2026-03-28T23:30:00.000Z'],
    ['2026-03-29T12:00', 'Europe/Madrid', '2026-03-29T10:00:00.000Z'],
    ['2026-01-01T00:00', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
    ['2026-09-06T00:00', 'America/Santiago', '2026-09-06T04:00:00.000Z', 'its midnight is skipped'],
    ['2026-09-06T00:30', 'America/Santiago', '2026-09-06T04:30:00.000Z', 'skipped'],
    ['2026-09-06T01:00', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    ['2026-04-04T23:30', 'America/Santiago', '2026-04-05T02:30:00.000Z', 'shown twice: the first'],
    ['2026-11-01T00:00', 'America/Havana', '2026-11-01T04:00:00.000Z', 'midnight is shown twice: the first'],
    ['2026-11-01T01:00', 'America/Havana', '2026-11-01T06:00:00.000Z'],
    ['2011-12-30T00:00', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 'a day that was left out'],
    ['2011-12-31T00:00', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['0001-01-01T00:00', 'America/Guatemala', '0001-01-01T06:02:04.000Z', 'before time zones'],
  ])('%s in %s is %s', (local, zone, utc) =>
    expect(new Date(instantOf(Date.parse(`${local}Z`), zone)).toISOString()).toBe(utc),
  );

  it('is on the day that calendars there show', () => {
    expect(dayOf(Date.parse('2026-11-22T05:59:59Z'), 'America/Guatemala')).toBe('2026-11-21');
    expect(dayOf(Date.parse('2026-11-22T06:00:00Z'), 'America/Guatemala')).toBe('2026-11-22');
  });

  it('is one and the same at the end of a day and the beginning of the next, in every zone and every year', () => {
    for (const zone of [
      'America/Santiago',
      'America/Havana',
      'America/Asuncion',
      'Asia/Beirut',
      'Pacific/Apia',
    ]) {
      let last = instantOf(Date.UTC(2010, 11, 31), zone);
      for (let day = Date.UTC(2011); day < Date.UTC(2013); day += 86_400_000) {
        const start = instantOf(day, zone);
        expect([0, 23, 24, 25]).toContain((start - last) / 3_600_000);
        if (start > last) expect(dayOf(start - 1, zone)).not.toBe(dayOf(start, zone));
        last = start;
      }
    }
  });
});
