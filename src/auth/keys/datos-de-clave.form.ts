import { AppError } from '../../platform/errors/app-error.js';
import { check, TextField } from '../../platform/validation/fields.js';
import { parseInstant } from '../../platform/validation/instant.js';

const PASSED = 'Escriba un día que no haya pasado.';

export class DatosDeClave {
  @TextField({ max: 120, description: 'Para qué es.' })
  etiqueta?: string;

  @TextField(
    { max: 30, description: 'Hasta qué día funciona; sin fin, si falta.' },
    check('fuera_de_rango', (text: string) => parseInstant(text, 'until') !== undefined, PASSED),
  )
  vence?: string;
}

/**
 * When a key ends whose form named its last day, at the end of that day.
 * @param zone IANA time zone of the day. @throws AppError `validacion` where the day has passed there.
 */
export function expiryOf({ vence }: DatosDeClave, zone: string): Date | undefined {
  if (vence === undefined) return undefined;
  const end = parseInstant(vence, 'until', zone)!;
  if (end <= Date.now())
    throw AppError.validation([{ campo: 'vence', codigo: 'fuera_de_rango', mensaje: PASSED }]);
  return new Date(end);
}
