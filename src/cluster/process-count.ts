import type { Config } from '../config/env.js';
import { POOL_SIZE } from '../database/data-source.js';
import { withClient } from '../database/failover/connection.js';
import { StartupError } from '../errors/startup-error.js';
import { PRODUCER_POOL, QUEUES, WORKER_CONNECTIONS } from '../queues/pool-sizes.js';

/** Connections left for operator commands, migrations and people. */
const SPARE = 5;

/** The lowest of the limits of the server, the database and the role; settings that older servers lack count as 0. */
const ALLOWED = `
  select least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0),
    nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) as allowed
  from pg_roles, pg_database
  where rolname = current_user and datname = current_database()`;

type ProcessConfig = Pick<Config, 'role' | 'redis' | 'databaseUrl'>;

/** The connections to PostgreSQL that one process may open. */
export function connectionsOf({ role, redis, databaseUrl }: ProcessConfig): number {
  const presence = databaseUrl === undefined ? 1 : 0;
  const producers = redis === undefined ? QUEUES * PRODUCER_POOL : 0;
  const workers = redis === undefined && role !== 'api' ? WORKER_CONNECTIONS : 0;
  return POOL_SIZE + presence + producers + workers;
}

/**
 * The number of processes to start: WEB_CONCURRENCY; with `auto` fewer if there are not enough connections.
 * @param allowed connections of the role that serves.
 * @throws StartupError if there are not enough connections for that many processes.
 */
export function processCount(config: ProcessConfig & Pick<Config, 'processes'>, allowed: number): number {
  const { count, isAuto } = config.processes;
  const each = connectionsOf(config);
  const fitting = Math.max(1, Math.floor((allowed - SPARE) / each));
  if (count <= fitting) return count;
  if (isAuto) return fitting;
  const instead = config.redis === undefined ? ', or set REDIS_URL, with which a process opens 10' : '';
  throw new StartupError(
    `WEB_CONCURRENCY: ${count} processes open up to ${count * each} connections, and PostgreSQL allows ${allowed}; ` +
      `set it to ${fitting} or less, raise max_connections${instead}`,
  );
}

/** The number of connections that PostgreSQL allows to the role in a URL. */
export async function allowedConnections(url: string): Promise<number> {
  const { rows } = await withClient(url, (client) => client.query<{ allowed: number }>(ALLOWED));
  return rows[0]!.allowed;
}
