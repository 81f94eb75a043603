import { AppError } from '../../errors/app-error.js';

/** Messages of ioredis's errors, which have no codes, if Redis is down or too slow. */
const UNREACHABLE = /stream isn't writeable|connection is closed|command timed out|max retries per request/i;

/** `no_disponible` if Redis does not answer. For PostgreSQL, `readDatabaseError` does the same. */
export function readQueueError(error: Error): AppError | undefined {
  if (!UNREACHABLE.test(error.message)) return undefined;
  const detail = 'Las colas no responden. Vuelva a intentar en unos segundos.';
  return new AppError('no_disponible', { detail, cause: error });
}
