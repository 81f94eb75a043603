import { AppError } from '../../platform/errors/app-error.js';

const MINUTE_MS = 60_000;

/**
 * When something happened that staff registers, who say the minute: in the minute of the guide's last move it is that move's
 * time. ISO 8601.
 * @throws AppError `validacion` for a time before that move.
 */
export function staffTime(said: string | undefined, estado_en: string | null): string | undefined {
  if (said === undefined || estado_en === null || Date.parse(said) >= Date.parse(estado_en)) return said;
  if (Date.parse(said) + MINUTE_MS > Date.parse(estado_en)) return estado_en;
  const mensaje = 'Es antes del último cambio de estado de la guía. Revise la fecha y la hora.';
  throw AppError.validation([{ campo: 'ocurrido_en', codigo: 'fuera_de_rango', mensaje }]);
}
