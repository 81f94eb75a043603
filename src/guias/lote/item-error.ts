import type { Logger } from 'pino';
import { readDatabaseError } from '../../database/database-error.reader.js';
import { AppError } from '../../errors/app-error.js';
import { TimeoutError } from '../../timeouts/with-timeout.js';

/**
 * How a failed item of a batch is answered; unexpected errors are logged.
 * @param late for an item that the database has not answered in time: it may have been written.
 */
export function toItemError(error: unknown, late: string, logger: Logger): AppError {
  const known = error instanceof AppError ? error : readDatabaseError(error);
  if (error instanceof TimeoutError || known?.codigo === 'no_disponible')
    return new AppError('no_disponible', { detail: late, cause: known?.cause });
  if (!known) logger.error({ err: error }, 'an item of a batch failed');
  return known ?? new AppError('error_interno', { cause: error });
}
