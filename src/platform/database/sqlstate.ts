/** PostgreSQL error classes: https://www.postgresql.org/docs/18/errcodes-appendix.html */

/** The five-character SQLSTATE of an error that PostgreSQL answered, also where TypeORM wrapped it. */
export function sqlStateOf(error: unknown): string | undefined {
  const { code, severity, driverError } = (error ?? {}) as {
    code?: unknown;
    severity?: unknown;
    driverError?: unknown;
  };
  if (driverError !== undefined && driverError !== error) return sqlStateOf(driverError);
  return typeof code === 'string' && typeof severity === 'string' ? code : undefined;
}

/** The meaning of a failed query for the caller. */
type DatabaseFault = 'bad-value' | 'unavailable';

const FAULTS: [pattern: RegExp, fault: DatabaseFault][] = [
  // Data exceptions and broken CHECKs: a value that validation let through.
  [/^(22|23514)/, 'bad-value'],
  // Connection, resources, operator intervention, files of the server that are gone or cannot be read, read-only server
  // (failover), idle transaction, lock and serialisation limits.
  [/^(08|53|57|58|25006|25P03|55P03|40)/, 'unavailable'],
];

/** Node's codes for refused or lost connections. */
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Errors without a code: node-postgres', and TypeORM's of a connection lost between statements of a transaction. */
const CONNECTION_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Driver not Connected|Query runner already released|Database connection provided by a query runner was already released)/;

/** How a database error is answered; undefined for a defect of ours and for any other error. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const state = sqlStateOf(error);
  if (state !== undefined) return FAULTS.find(([pattern]) => pattern.test(state))?.[1];
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (CONNECTION_CODES.has(code) || CONNECTION_MESSAGES.test(error.message)) return 'unavailable';
  return error instanceof AggregateError ? error.errors.map(databaseFault).find(Boolean) : undefined;
}

/** Deadlock or serialisation failure: rolled back completely, so a retry is safe. */
export function isRetryable(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlStateOf(error) ?? '');
}

/** A lock that could not be had in time, or a deadlock: other transactions made this one fail. */
export function isLockFault(error: unknown): boolean {
  return isRetryable(error) || sqlStateOf(error) === '55P03';
}

/** Raised by the SQL function `check_deadline`. Class 57 (operator intervention), like a statement timeout. */
const PAST_DEADLINE = '57X01';

/** Whether a statement was rolled back because its deadline had passed. */
export function isPastDeadline(error: unknown): boolean {
  return sqlStateOf(error) === PAST_DEADLINE;
}

export function uniqueViolation(error: unknown): string | undefined {
  const inner = ((error ?? {}) as { driverError?: unknown }).driverError ?? error;
  return sqlStateOf(inner) === '23505' ? (inner as { constraint?: string }).constraint : undefined;
}

/** Whether the values of one row made a statement fail (data exception, constraint violation); it had no effect. */
export function isFaultOfOneRow(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOf(error) ?? '');
}

/**
 * Whether parts of a failed batch may succeed: the values of one row made it fail, or it deadlocked with another batch.
 * The batch had no effect.
 */
export function mayPassInParts(error: unknown): boolean {
  return isFaultOfOneRow(error) || isRetryable(error);
}
