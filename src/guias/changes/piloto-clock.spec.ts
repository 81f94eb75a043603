import { clampedTime, earlier, type ClockBounds } from './piloto-clock.js';

const at = (time: string) => `2026-01-20T${time}:00.000Z`;

const BOUNDS: ClockBounds = {
  ...{ ahora: at('18:00'), recibido_en: at('18:00'), creada_en: at('08:00'), desde: at('09:00') },
  estado_en: at('10:00'),
};

describe('the time of an applied event', () => {
  it.each<[rule: string, said: string, bounds: Partial<ClockBounds>, applied: string]>([
    ['is what was said', at('12:00'), {}, at('12:00')],
    ['is not in the future', at('21:00'), {}, at('18:00')],
    ['is not before the move before', at('09:30'), {}, at('10:00')],
    ['is not before the first assignment', at('08:30'), { estado_en: null }, at('09:00')],
    ['is not before the creation', at('07:00'), { estado_en: null, desde: null }, at('08:00')],
    [
      'is at most a day before its receipt',
      '2025-12-11T00:00:00.000Z',
      { creada_en: '2025-12-01T00:00:00.000Z', desde: null, estado_en: null },
      '2026-01-19T18:00:00.000Z',
    ],
    [
      'is counted back from its receipt, where it is applied later',
      '2025-12-11T00:00:00.000Z',
      { creada_en: '2025-12-01T00:00:00.000Z', desde: null, estado_en: null, recibido_en: at('01:00') },
      '2026-01-19T01:00:00.000Z',
    ],
    [
      'is now, where the move before is said to be later',
      at('12:00'),
      { estado_en: at('19:00') },
      at('18:00'),
    ],
  ])('%s', (_, said, bounds, applied) => {
    expect(clampedTime(said, { ...BOUNDS, ...bounds })).toBe(applied);
  });

  it('is compared as an instant', () => {
    expect(earlier('2026-01-20T12:00:00.000-06:00', at('17:00'))).toBe(at('17:00'));
  });
});
