import type { Config } from '../../platform/config/env.js';
import { POOL_SIZE } from '../../platform/database/pool-size.js';
import { withClient } from '../../platform/database/connection.js';
import { PRODUCER_POOL, WORKER_CONNECTIONS } from '../../platform/queues/pool-sizes.js';

/** The lowest of what the limits of the server, the role and the database leave; older servers lack the second setting. */
const FREE = `
  select least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0)
      - (select sum(numbackends) from pg_stat_database),
    nullif(rolconnlimit, -1) - (select count(*) from pg_stat_activity where usesysid = pg_roles.oid),
    nullif(datconnlimit, -1) - (select numbackends from pg_stat_database where datid = pg_database.oid)
  )::int as free
  from pg_roles, pg_database
  where rolname = current_user and datname = current_database()`;

type ProcessConfig = Pick<Config, 'role' | 'redis' | 'databaseUrl'>;

/** The connections to PostgreSQL that one process may open. */
export function connectionsOf({ role, redis, databaseUrl }: ProcessConfig): number {
  const presence = databaseUrl === undefined ? 1 : 0;
  const producers = redis === undefined ? PRODUCER_POOL : 0;
  const workers = redis === undefined && role !== 'api' ? WORKER_CONNECTIONS : 0;
  return POOL_SIZE + presence + producers + workers;
}

/**
 * Advice where PostgreSQL has fewer free connections than this process may open. It starts nevertheless: the
 * connections of the process that it replaces may just be closing.
 * @param url of the database.
 */
export async function connectionWarning(config: ProcessConfig, url: string): Promise<string | undefined> {
  const needed = connectionsOf(config);
  const { rows } = await withClient(url, (client) => client.query<{ free: number }>(FREE));
  const { free } = rows[0]!;
  if (free >= needed) return undefined;
  const instead =
    config.redis === undefined
      ? `, or set REDIS_URL, with which a process opens ${connectionsOf({ ...config, redis: { url: '' } })}`
      : '';
  return `PostgreSQL has ${free} connections left, and this process may open ${needed}: raise max_connections, start fewer processes${instead}`;
}
