import { StartupError } from '../errors/startup-error.js';
import { databaseFault, sqlStateOf } from './sqlstate.js';

/** What to do about a database that a start cannot use, by SQLSTATE or by Node's code. */
const REMEDIES: [code: RegExp, remedy: string][] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'DATABASE_URL: no machine has the name of its host; correct it'],
  [/^ECONNREFUSED$/, 'DATABASE_URL: nothing listens there; start PostgreSQL, or correct host and port'],
  [/^28/, 'DATABASE_URL: PostgreSQL refuses its user or password; correct them'],
  [/^3D000$/, 'DATABASE_URL: its database does not exist; create it, or name another'],
  [/^42501$/, 'DATABASE_URL: its user may not make tables; make it the owner of the database'],
  [/^25006$/, 'DATABASE_URL: the database is read-only; give the address of the primary'],
  [/^53100$/, 'the disk of PostgreSQL is full; make room on it'],
  [/^53300$/, 'PostgreSQL has no free connection; raise its max_connections, or start fewer processes'],
];

/** The StartupError for a database that cannot be used; any other error as it is. */
export function startupFault(error: unknown): unknown {
  const { code, message } = error as Error & { code?: string };
  const known = sqlStateOf(error) ?? code ?? '';
  const remedy = REMEDIES.find(([pattern]) => pattern.test(known))?.[1];
  if (remedy !== undefined) return new StartupError(remedy);
  return databaseFault(error) === 'unavailable' ? unusable(known || message) : error;
}

/** For a connection that fails in another way, as with TLS. */
export function unusable(reason: string): StartupError {
  return new StartupError(
    `DATABASE_URL: the database cannot be used (${reason}); check the address and that PostgreSQL runs`,
  );
}
