import type { DataSourceOptions } from 'typeorm';
import type { PoolClient, PoolConfig } from 'pg';
import { migrations } from '../../migrations/index.js';

/** Connections of one process. Ten saturate two cores; more only wait inside PostgreSQL. */
const POOL_SIZE = 10;

/**
 * Timestamps are sent as PostgreSQL's text, cut to ISO 8601: the text must be UTC. Storage is not a spinning
 * disk: with the default of 4 the planner sorts a state's guides where its index has them in order.
 */
const SESSION = `set timezone to 'UTC'; set random_page_cost to 1.1`;

/**
 * The one set of database options: service, operator commands and tests. Entities are not named here:
 * each module brings its own (`TypeOrmModule.forFeature`).
 *
 * Waiting is bounded so that an answer leaves within 5 s whatever the database does: 2 s for a free
 * connection, 4 s for an answer (on our side too: a frozen server does not enforce its own limit).
 */
export function dataSourceOptions(url: string): DataSourceOptions {
  const pool: PoolConfig = {
    max: POOL_SIZE,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 4_000,
    query_timeout: 4_500,
    keepAlive: true,
    // Awaited, although the types say void.
    onConnect: (client) => (client as PoolClient).query(SESSION) as unknown as void,
  };
  return {
    type: 'postgres',
    url,
    migrations,
    migrationsTableName: 'migraciones',
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    applicationName: 'guias',
    extra: pool,
    // A broken idle connection leaves the pool by itself; the next query opens another or says why not.
    poolErrorHandler: () => undefined,
  };
}
