import type { Socket } from 'node:net';
import { AbstractLogger, type DataSourceOptions } from 'typeorm';
import type { Client, ClientBase, PoolConfig } from 'pg';
import { migrations } from '../../migrations/index.js';
import { connectionOf } from './failover/connection.js';
import { TIME_LIMITS, type ConnectionLimits } from './time-limits.js';

/** Connections of one process. Ten saturate two cores; more would only wait inside PostgreSQL. */
export const POOL_SIZE = 10;

const APPLICATION_NAME = 'guias';

/**
 * Statements, not parameters of the connection's start, which PgBouncer refuses. UTC, because `toIso` rewrites
 * PostgreSQL's timestamp text without parsing it. `random_page_cost`: with the default of 4 the planner sorts a
 * state's guides instead of reading the ordered index.
 */
const session = ({ statement, transaction }: ConnectionLimits) =>
  `set statement_timeout to ${statement}; set idle_in_transaction_session_timeout to ${transaction};
  set timezone to 'UTC'; set random_page_cost to 1.1`;

/** Fields of pg 8.23 that its types leave out; `test/hostile/database.spec.ts` fails without them. */
interface OpenClient extends Client {
  /** False while a query is in flight. */
  readonly readyForQuery: boolean;
  readonly connection: Client['connection'] & { readonly stream: Socket };
}

/**
 * Destroys a connection whose server falls silent during a query; the pool opens another. One socket timeout for the
 * connection, not pg's `query_timeout`: a timer for each query keeps its rows alive, which doubles the heap and slows
 * lists down by half.
 */
function destroyWhenSilent(client: OpenClient, silenceMs: number): void {
  const { stream } = client.connection;
  stream.setTimeout(silenceMs);
  stream.on('timeout', () => {
    if (!client.readyForQuery) stream.destroy(new Error('Query read timeout'));
  });
}

/** TypeORM would print failed migrations to the console, beside the one line that says what to do. */
class Silent extends AbstractLogger {
  protected writeLog(): void {}
}

/** Options of the service's pools, on the primary and on replicas. */
interface ServicePoolConfig extends Omit<PoolConfig, 'onConnect'> {
  /** pg awaits the returned promise, although its types say void. */
  onConnect: (client: ClientBase) => Promise<unknown>;
}

export function poolConfig(limits: ConnectionLimits): ServicePoolConfig {
  return {
    max: POOL_SIZE,
    connectionTimeoutMillis: limits.connection,
    application_name: APPLICATION_NAME,
    keepAlive: true,
    // Before a NAT or a firewall forgets an idle connection.
    keepAliveInitialDelayMillis: 30_000,
    // No timer at each release, which would also keep rows alive. A broken connection leaves the pool by itself.
    idleTimeoutMillis: 0,
    onConnect: (client) => {
      // Node ends a process for an error that nobody listens to, and pg-pool listens to idle connections alone. The
      // next query on a connection that broke between two reports the error.
      client.on('error', () => undefined);
      destroyWhenSilent(client as OpenClient, limits.silence);
      return client.query(session(limits));
    },
  };
}

/**
 * The one set of database options, for the service, operator commands and tests. Modules add the entities that they have
 * repositories of (`TypeOrmModule.forFeature`). All other entities only describe their tables: a test compares them with
 * the migrations.
 */
export function dataSourceOptions(url: string, limits = TIME_LIMITS): DataSourceOptions {
  return {
    type: 'postgres',
    url: connectionOf(url).connectionString,
    migrations,
    migrationsTableName: 'migraciones',
    migrationsTransactionMode: 'each',
    synchronize: false,
    logger: new Silent(),
    installExtensions: false,
    applicationName: APPLICATION_NAME,
    extra: { ...poolConfig(limits), ...connectionOf(url) },
    // A broken idle connection leaves the pool by itself; the next query opens another or reports the error.
    poolErrorHandler: () => undefined,
  };
}
