import { AppError } from '../../errors/app-error.js';

/** What ioredis says, in plain errors, of a Redis that is away, or too slow. */
const AWAY = /stream isn't writeable|connection is closed|command timed out|max retries per request/i;

/** Recognises that the queues' Redis does not answer; PostgreSQL's own errors are read where databases are. */
export function readQueueError(error: Error): AppError | undefined {
  if (!AWAY.test(error.message)) return undefined;
  const detail = 'Las colas no responden. Vuelva a intentar en unos segundos.';
  return new AppError('no_disponible', { detail, cause: error });
}
