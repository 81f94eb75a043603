import { dayOf, instantOf, startsOfDays } from './local-days.js';

describe('a local time', () => {
  it.each([
    ['2026-11-21T15:04', 'America/Guatemala', '2026-11-21T21:04:00.000Z'],
    ['2026-11-21T00:00', 'UTC', '2026-11-21T00:00:00.000Z'],
    ['2026-07-01T12:00', 'Europe/Madrid', '2026-07-01T10:00:00.000Z'],
    ['2026-12-01T12:00', 'Europe/Madrid', '2026-12-01T11:00:00.000Z'],
    ['2026-03-29T00:30', 'Europe/Madrid', '2026-03-28T23:30:00.000Z'],
    ['2026-03-29T12:00', 'Europe/Madrid', '2026-03-29T10:00:00.000Z'],
    ['2026-01-01T00:00', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
  ])('%s in %s is %s', (local, zone, utc) =>
    expect(new Date(instantOf(local, zone)).toISOString()).toBe(utc),
  );

  it('is on the day that calendars there show', () => {
    expect(dayOf(Date.parse('2026-11-22T05:59:59Z'), 'America/Guatemala')).toBe('2026-11-21');
    expect(dayOf(Date.parse('2026-11-22T06:00:00Z'), 'America/Guatemala')).toBe('2026-11-22');
  });
});

describe('startsOfDays', () => {
  it('ends with tomorrow, and each day is as long as clocks make it', () => {
    const starts = startsOfDays(Date.parse('2026-03-30T10:00:00Z'), 3, 'Europe/Madrid');
    expect(starts.map(({ dia }) => dia)).toEqual(['2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']);
    const hours = starts.slice(1).map(({ ms }, i) => (ms - starts[i]!.ms) / 3_600_000);
    expect(hours).toEqual([24, 23, 24]);
  });
});
