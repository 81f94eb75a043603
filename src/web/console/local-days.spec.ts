import { startsOfDays } from './local-days.js';

describe('startsOfDays', () => {
  it('ends with tomorrow, and each day is as long as clocks make it', () => {
    const starts = startsOfDays(Date.parse('2026-03-30T10:00:00Z'), 3, 'Europe/Madrid');
    expect(starts.map(({ dia }) => dia)).toEqual(['2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']);
    const hours = starts.slice(1).map(({ ms }, i) => (ms - starts[i]!.ms) / 3_600_000);
    expect(hours).toEqual([24, 23, 24]);
  });
});
