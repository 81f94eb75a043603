import { StartupError } from '../errors/startup-error.js';
import { databaseFault, sqlStateOf } from './sqlstate.js';

/** For a server whose certificate is not trusted. */
const OR_UNCHECKED = 'or sslmode=no-verify, with which nothing is checked';

/** How to fix a database that startup cannot use, by SQLSTATE or Node's code, and message; `$` is the variable. */
const REMEDIES: [fault: RegExp, remedy: string][] = [
  [/^(ENOTFOUND|EAI_AGAIN) /, '$: no machine has the name of its host; correct it'],
  [/^ECONNREFUSED /, '$: nothing listens there; start PostgreSQL, or correct host and port'],
  [
    /^28000 .*no encryption/,
    '$: PostgreSQL wants TLS, or refuses this user, database or address; add sslmode=verify-full',
  ],
  [/^28/, '$: PostgreSQL refuses its user or password; correct them'],
  [/^3D000 /, '$: its database does not exist; create it, or name another'],
  [
    / (create |)extension "pg_trgm"|pg_trgm\.control/,
    '$: its user or server cannot make the extension pg_trgm; install the contrib modules of PostgreSQL, and have an administrator run there: create extension pg_trgm',
  ],
  [
    /^42501 /,
    '$: its user may not make tables; set MIGRATION_DATABASE_URL to the URL of their owner, or run `guias migrate` with it',
  ],
  [/^25006 /, '$: the database is read-only; give the address of the primary'],
  [/^53100 /, "PostgreSQL's disk is full; free some space"],
  [/^53300 /, 'PostgreSQL has no free connection; raise its max_connections, or start fewer processes'],
  [
    /^08P01 .*startup parameter/,
    '$: a pooler refuses its parameter options; remove that, and unset PGOPTIONS',
  ],
  [
    /^ The server does not support SSL/,
    '$: PostgreSQL does not speak TLS there; remove sslmode, and unset PGSSLMODE',
  ],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_[A-Z_]+|CERT_UNTRUSTED) /,
    `$: the authority of its TLS certificate is not known here; add sslrootcert=FILE, the provider's CA certificate, ${OR_UNCHECKED}`,
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID /,
    `$: its TLS certificate is for another host name; use that name, ${OR_UNCHECKED}`,
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID) /,
    '$: its TLS certificate is not valid today; renew it, or set the clock',
  ],
  [
    /^(ENOENT|EACCES|EISDIR|EPERM) .*(open|read)\b/,
    '$: the file of its sslrootcert, sslcert or sslkey cannot be read; correct the path',
  ],
  [/^ERR_(OSSL|CRYPTO)\w* /, '$: the file of its sslrootcert, sslcert or sslkey is not PEM; correct it'],
];

/**
 * The StartupError for a database that cannot be used; any other error as it is.
 * @param variable name of the variable with its URL.
 */
export function startupFault(error: unknown, variable = 'DATABASE_URL'): unknown {
  const { code, message } = error as Error & { code?: string };
  const known = sqlStateOf(error) ?? code ?? '';
  const remedy = REMEDIES.find(([pattern]) => pattern.test(`${known} ${message}`))?.[1];
  if (remedy !== undefined) return new StartupError(remedy.replace('$', variable));
  return databaseFault(error) === 'unavailable' ? unusable(known || message, variable) : error;
}

/** For a connection that fails in another way, as with TLS. */
export function unusable(reason: string, variable = 'DATABASE_URL'): StartupError {
  return new StartupError(
    `${variable}: the database cannot be used (${reason}); check the address and that PostgreSQL runs`,
  );
}
