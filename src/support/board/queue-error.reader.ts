import { AppError } from '../../errors/app-error.js';
import { isStoreAway } from '../../queues/store-away.js';

/** `no_disponible` if Redis does not answer. For PostgreSQL, `readDatabaseError` does the same. */
export function readQueueError(error: Error): AppError | undefined {
  if (!isStoreAway(error)) return undefined;
  const detail = 'Las colas no responden. Vuelva a intentar en unos segundos.';
  return new AppError('no_disponible', { detail, cause: error });
}
