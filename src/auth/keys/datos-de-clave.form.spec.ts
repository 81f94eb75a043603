import { AppError } from '../../platform/errors/app-error.js';
import { dayOf } from '../../platform/validation/time-zone.js';
import { readInput } from '../../platform/validation/read-input.js';
import { DatosDeClave, expiryOf } from './datos-de-clave.form.js';

const DAY_MS = 86_400_000;

describe('the last day of a key', () => {
  it('ends at midnight of its place', () => {
    expect(expiryOf({ vence: '2999-12-31' }, 'America/Guatemala')?.toISOString()).toBe(
      '3000-01-01T05:59:59.999Z',
    );
    expect(expiryOf({}, 'America/Guatemala')).toBeUndefined();
  });

  it.each(['Pacific/Pago_Pago', 'America/Guatemala', 'UTC', 'Pacific/Kiritimati'])(
    'may be today there, and not the day before: %s',
    (zone) => {
      const key = (ms: number) => readInput(DatosDeClave, { vence: dayOf(ms, zone) }, {});
      const left = expiryOf(key(Date.now()), zone)!.getTime() - Date.now();
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(DAY_MS);
      expect(() => expiryOf(key(Date.now() - DAY_MS), zone)).toThrow(AppError);
    },
  );

  it('is a day', () => {
    for (const vence of ['mañana', '2999-02-30', '31/12/2999'])
      expect(() => readInput(DatosDeClave, { vence }, {})).toThrow(AppError);
  });
});
