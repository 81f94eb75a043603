import { randomBytes } from 'node:crypto';
import type { AppError } from '../../platform/errors/app-error.js';
import { decidePin, MAX_WRONG_PINS, pinOf, type PinAnswer } from './pin.js';

const ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

describe('the PIN of a guide', () => {
  it('has four digits, the same each time, and others with another key', () => {
    const key = randomBytes(32);
    expect(pinOf(ID, key)).toMatch(/^\d{4}$/);
    expect(pinOf(ID, key)).toBe(pinOf(ID, key));
    const pins = Array.from({ length: 20 }, () => pinOf(ID, randomBytes(32)));
    expect(new Set(pins).size).toBeGreaterThan(1);
  });

  it.each<[what: string, answer: PinAnswer, tried: number, decision: string]>([
    ['the right one', { pin: '0042' }, 0, 'right'],
    ['the right one after four wrong ones', { pin: '0042' }, MAX_WRONG_PINS - 1, 'right'],
    ['another one', { pin: '0043' }, 0, 'wrong'],
    ['the right one too late', { pin: '0042' }, MAX_WRONG_PINS, 'pin_agotado'],
    ['a malformed one', { pin: '42' }, 0, 'validacion'],
    ['a malformed one, whatever was tried', { pin: '0042 ' }, MAX_WRONG_PINS, 'validacion'],
    ['none', {}, 0, 'validacion'],
    ['none, whatever was tried', {}, MAX_WRONG_PINS, 'validacion'],
    ['none, with a reason', { sin_pin: true, nota: 'Sin señal' }, MAX_WRONG_PINS, 'without'],
    ['none, without a reason', { sin_pin: true }, 0, 'validacion'],
    ['both', { pin: '0043', sin_pin: true, nota: 'Sin señal' }, 0, 'without'],
    ['sin_pin false alone', { sin_pin: false }, 0, 'validacion'],
  ])('decides a delivery with %s', (_, answer, tried, decision) => {
    const decide = () => {
      try {
        return decidePin(answer, '0042', tried);
      } catch (error) {
        return (error as AppError).codigo;
      }
    };
    expect(decide()).toBe(decision);
  });
});
