import { StartupError } from '../errors/startup-error.js';
import { databaseFault, sqlStateOf } from './sqlstate.js';

/** How to fix a database that startup cannot use, by SQLSTATE or Node's error code; `$` is the variable. */
const REMEDIES: [code: RegExp, remedy: string][] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, '$: no machine has the name of its host; correct it'],
  [/^ECONNREFUSED$/, '$: nothing listens there; start PostgreSQL, or correct host and port'],
  [/^NO_PRIMARY$/, '$: none of its servers accepts writes; promote one, or correct their addresses'],
  [/^28/, '$: PostgreSQL refuses its user or password; correct them'],
  [/^3D000$/, '$: its database does not exist; create it, or name another'],
  [
    /^42501$/,
    '$: its user may not make tables; set MIGRATION_DATABASE_URL to the URL of their owner, or run `guias migrate` with it',
  ],
  [/^25006$/, '$: the database is read-only; give the address of the primary'],
  [/^53100$/, "PostgreSQL's disk is full; free some space"],
  [/^53300$/, 'PostgreSQL has no free connection; raise its max_connections, or start fewer processes'],
];

/**
 * The StartupError for a database that cannot be used; any other error as it is.
 * @param variable name of the variable with its URL.
 */
export function startupFault(error: unknown, variable = 'DATABASE_URL'): unknown {
  const { code, message } = error as Error & { code?: string };
  const known = sqlStateOf(error) ?? code ?? '';
  const remedy = REMEDIES.find(([pattern]) => pattern.test(known))?.[1];
  if (remedy !== undefined) return new StartupError(remedy.replace('$', variable));
  return databaseFault(error) === 'unavailable' ? unusable(known || message, variable) : error;
}

/** For a connection that fails in another way, as with TLS. */
export function unusable(reason: string, variable = 'DATABASE_URL'): StartupError {
  return new StartupError(
    `${variable}: the database cannot be used (${reason}); check the address and that PostgreSQL runs`,
  );
}
