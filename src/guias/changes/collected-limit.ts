import { AppError } from '../../platform/errors/app-error.js';
import { outOfRange } from '../../platform/validation/fields.js';
import { maxAmount, USUAL_MAX_AMOUNT } from '../guia/limits.js';
import { findMoneda } from './guia-cobros.queries.js';
import type { LockedGuia } from './guia-changes.queries.js';
import type { GuiaTransaction } from './guia-transaction.js';

/**
 * Refuses a collected amount that is too high for the guide's currency, which who reports it need not know. The currency is
 * read for high amounts alone.
 * @throws AppError `validacion`
 */
export async function checkCollected(
  guia: LockedGuia,
  cod_cobrado: number | undefined,
  tx: GuiaTransaction,
): Promise<void> {
  if (cod_cobrado === undefined || cod_cobrado <= USUAL_MAX_AMOUNT) return;
  const { rows } = await tx.query<{ moneda: string }>(findMoneda(guia));
  const limit = maxAmount(rows[0]!.moneda);
  if (cod_cobrado <= limit) return;
  const mensaje = outOfRange(0, limit);
  throw AppError.validation([{ campo: 'cod_cobrado', codigo: 'fuera_de_rango', mensaje }]);
}
