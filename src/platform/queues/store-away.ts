import { databaseFault } from '../database/sqlstate.js';
import { AppError } from '../errors/app-error.js';
import { TimeoutError } from '../timeouts/with-timeout.js';
import { redisRefusal } from './redis-refusal.js';

/** ioredis's errors have no codes. The second line is for a cluster. */
const UNREACHABLE = [
  /stream isn't writeable|connection is closed|command timed out|socket timeout|max retries per request|sentinels are unreachable/i,
  /cluster isn't ready|too many cluster redirections|none of startup nodes|refresh slots cache|cluster is ended/i,
];

/** Redis's replies while it rejects writes for a time; a script's reply has more text in front. */
const REFUSED = /\b(OOM|READONLY|LOADING|MISCONF|BUSY|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN) /;

/** Whether a queue failed because Redis is away, or did not answer in time. */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isRefused = error.name === 'ReplyError' && (REFUSED.test(error.message) || redisRefusal(error));
  return !!isRefused || error instanceof TimeoutError || UNREACHABLE.some((one) => one.test(error.message));
}

/** Whether the database or the queue store is away, whichever the queues are in, or too busy. */
export function isOutage(error: unknown): boolean {
  if (error instanceof AppError) return error.codigo === 'no_disponible';
  return isStoreAway(error) || databaseFault(error) === 'unavailable';
}
