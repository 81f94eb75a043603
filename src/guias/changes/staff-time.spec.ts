import { AppError } from '../../platform/errors/app-error.js';
import { staffTime } from './staff-time.js';

const MOVED = '2026-11-25T14:40:30.500Z';

describe('staffTime', () => {
  it.each([
    [undefined, MOVED, undefined],
    ['2026-11-25T14:41:00.000Z', MOVED, '2026-11-25T14:41:00.000Z'],
    ['2026-11-25T14:40:00.000Z', MOVED, MOVED],
    ['2026-11-01T00:00:00.000Z', null, '2026-11-01T00:00:00.000Z'],
  ])('takes %s after a move at %s as %s', (said, moved, expected) =>
    expect(staffTime(said, moved)).toBe(expected),
  );

  it('refuses the minute before', () => {
    expect(() => staffTime('2026-11-25T14:39:00.000Z', MOVED)).toThrow(AppError);
  });
});
