import { morningOf } from './resumen-day.js';

const at = (iso: string) => Date.parse(iso);

describe('the morning of a summary', () => {
  it.each([
    ['6:59 in Guatemala', 'America/Guatemala', '2026-11-21T12:59:59Z', undefined],
    [
      '7:00 in Guatemala',
      'America/Guatemala',
      '2026-11-21T13:00:00Z',
      ['2026-11-21', '2026-11-21T13:00:00Z'],
    ],
    [
      '11:59 in Guatemala',
      'America/Guatemala',
      '2026-11-21T17:59:59Z',
      ['2026-11-21', '2026-11-21T13:00:00Z'],
    ],
    ['noon in Guatemala', 'America/Guatemala', '2026-11-21T18:00:00Z', undefined],
    [
      '7:00 in Madrid in summer',
      'Europe/Madrid',
      '2026-07-01T05:00:00Z',
      ['2026-07-01', '2026-07-01T05:00:00Z'],
    ],
    [
      '7:00 in Madrid in winter',
      'Europe/Madrid',
      '2026-12-01T06:00:00Z',
      ['2026-12-01', '2026-12-01T06:00:00Z'],
    ],
    [
      '7:00 on the day clocks change',
      'Europe/Madrid',
      '2026-10-25T06:00:00Z',
      ['2026-10-25', '2026-10-25T06:00:00Z'],
    ],
    [
      'where it is tomorrow already',
      'Pacific/Auckland',
      '2026-11-20T18:30:00Z',
      ['2026-11-21', '2026-11-20T18:00:00Z'],
    ],
  ] as const)('at %s', (_, zone, now, morning) => {
    expect(morningOf(zone, at(now))).toEqual(morning && { dia: morning[0], madeBefore: at(morning[1]) });
  });
});
