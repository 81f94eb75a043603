import { createHmac } from 'node:crypto';
import { AppError } from '../../platform/errors/app-error.js';
import type { GuiaEstado } from '../guia/guia-estado.js';

/** Different wrong PINs that may be tried for a guide. */
export const MAX_WRONG_PINS = 5;

/** The states in which the recipient is shown the PIN. */
export const PIN_ESTADOS: readonly GuiaEstado[] = ['en_ruta', 'intento_fallido'];

/** The four digits by which the recipient of a guide receives it. Nothing of them is stored. */
export function pinOf(guiaId: string, key: Buffer): string {
  const number = createHmac('sha256', key).update(guiaId).digest().readUInt32BE(0);
  return String(number % 10_000).padStart(4, '0');
}

export interface PinAnswer {
  pin?: string;
  /** Delivered without it, for the reason in `nota`. */
  sin_pin?: boolean;
  nota?: string;
}

/**
 * Decides a delivery to a merchant with PIN; a pure function. `wrong` is to be kept as a try.
 * @param tried the different wrong ones so far.
 * @throws AppError `validacion`, `pin_agotado`
 */
export function decidePin(
  { pin, sin_pin = false, nota }: PinAnswer,
  expected: string,
  tried: number,
): 'right' | 'wrong' | 'without' {
  if (sin_pin) {
    if (nota === undefined) throw fault('nota', 'requerido', 'Es obligatoria con `sin_pin`: diga por qué.');
    return 'without';
  }
  if (pin === undefined)
    throw fault(
      'pin',
      'requerido',
      'Es obligatorio: el destinatario lo ve en su página. Sin él, envíe `sin_pin` con una `nota`.',
    );
  if (!/^\d{4}$/.test(pin)) throw fault('pin', 'formato', 'Son cuatro dígitos, entre comillas.');
  if (tried >= MAX_WRONG_PINS) throw new AppError('pin_agotado');
  return pin === expected ? 'right' : 'wrong';
}

function fault(campo: string, codigo: 'requerido' | 'formato', mensaje: string): AppError {
  return AppError.validation([{ campo, codigo, mensaje }]);
}
