import { check, TextField } from '../../validation/fields.js';
import { parseInstant } from '../../validation/instant.js';

/** What the forms of a new key have in common. */
export class DatosDeClave {
  @TextField({ max: 120, description: 'Para qué es.' })
  etiqueta?: string;

  @TextField(
    { max: 30, description: 'Hasta qué día funciona; sin fin, si falta.' },
    check(
      'fuera_de_rango',
      (text: string) => (parseInstant(text, 'until') ?? 0) > Date.now(),
      'Escriba un día que no haya pasado.',
    ),
  )
  vence?: string;
}

/** When a key ends whose form named its last day. @param zone IANA time zone of the day; UTC by default. */
export function expiryOf({ vence }: DatosDeClave, zone?: string): Date | undefined {
  return vence === undefined ? undefined : new Date(parseInstant(vence, 'until', zone)!);
}
