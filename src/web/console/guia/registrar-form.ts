import { AppError } from '../../../platform/errors/app-error.js';
import type { Form } from '../../../platform/http/form-texts.js';
import { RegistrarEventoDto } from '../../../operations/dto/registrar-evento.dto.js';
import { parseInstant } from '../../../platform/validation/instant.js';
import { readInput } from '../../../platform/validation/read-input.js';
import { normalizeText } from '../../../platform/validation/text.js';
import { typedAmount } from '../../kit/forms/typed-amount.js';

/** The fields of the form that are those of an operator's event, as they are typed. */
const TEXTS = ['estado', 'motivo', 'nota', 'pago', 'piloto', 'recibio', 'pin'] as const;

/**
 * A form in which staff says what happened with a guide, as an operator's event.
 * @param zone IANA zone of the merchant, of the time that is typed. @param now ms since 1970.
 * @throws AppError `validacion`
 */
export function readRegistro(fields: Form, zone: string, now: number): RegistrarEventoDto {
  const input: Record<string, unknown> = {
    cod_cobrado: typedAmount(fields.cod_cobrado),
    sin_pin: /^(no|false|0)?$/i.test(fields.sin_pin ?? '') ? undefined : true,
    ocurrido_en: timeOf(fields.ocurrido_en, zone, now),
  };
  for (const name of TEXTS) input[name] = normalizeText(fields[name] ?? '');
  const sent = Object.entries(input).filter(([, value]) => value !== undefined);
  return readInput(RegistrarEventoDto, Object.fromEntries(sent), {});
}

/** ISO 8601; undefined for none. */
function timeOf(typed = '', zone: string, now: number): string | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text)
    ? parseInstant(text, 'from', zone)
    : undefined;
  if (at === undefined) throw wrongTime('formato', 'Escriba la fecha y la hora como 2026-11-25T11:15.');
  if (at > now) throw wrongTime('fuera_de_rango', 'Está en el futuro: vale la hora del país del comercio.');
  return new Date(at).toISOString();
}

const wrongTime = (codigo: 'formato' | 'fuera_de_rango', mensaje: string) =>
  AppError.validation([{ campo: 'ocurrido_en', codigo, mensaje }]);
