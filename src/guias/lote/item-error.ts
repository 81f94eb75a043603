import type { Logger } from 'pino';
import { readDatabaseError } from '../../platform/database/database-error.reader.js';
import { AppError } from '../../platform/errors/app-error.js';
import { TimeoutError } from '../../platform/timeouts/with-timeout.js';

/**
 * The error of a failed item of a batch; unexpected errors are logged.
 * @param late detail for an item that timed out in the database: it may have been written.
 */
export function toItemError(error: unknown, late: string, logger: Logger): AppError {
  const known = error instanceof AppError ? error : readDatabaseError(error);
  if (error instanceof TimeoutError || known?.codigo === 'no_disponible')
    return new AppError('no_disponible', { detail: late, cause: known?.cause });
  if (!known) logger.error({ err: error }, 'batch item failed');
  return known ?? new AppError('error_interno', { cause: error });
}
