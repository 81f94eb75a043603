import { AppError } from '../../platform/errors/app-error.js';
import { outOfRange } from '../../platform/validation/fields.js';
import { maxAmount } from '../guia/limits.js';

/**
 * Refuses a collected amount that is too high for the guide's currency, which who reports it need not know.
 * @throws AppError `validacion`
 */
export function checkCollected(cod_cobrado: number | undefined, moneda: string): void {
  const limit = maxAmount(moneda);
  if (cod_cobrado === undefined || cod_cobrado <= limit) return;
  const mensaje = outOfRange(0, limit);
  throw AppError.validation([{ campo: 'cod_cobrado', codigo: 'fuera_de_rango', mensaje }]);
}
