import type { Socket } from 'node:net';
import { AbstractLogger, type DataSourceOptions } from 'typeorm';
import type { Client, ClientBase, PoolConfig } from 'pg';
import { migrations } from '../../../migrations/index.js';
import { connectionOf, settingsOf } from './connection.js';
import { POOL_SIZE } from './pool-size.js';
import { TIME_LIMITS, type ConnectionLimits } from './time-limits.js';

const APPLICATION_NAME = 'guias';

/** `random_page_cost`: with the default of 4 the planner sorts a state's guides instead of reading the ordered index. */
const session = ({ statement, lock, transaction }: ConnectionLimits) =>
  settingsOf({
    statement_timeout: statement,
    lock_timeout: lock,
    idle_in_transaction_session_timeout: transaction,
    random_page_cost: 1.1,
  });

/** Fields of pg 8.23 that its types lack; `test/hostile/database.spec.ts` fails if they change. */
interface OpenClient extends Client {
  /** False while a query is in flight. */
  readonly readyForQuery: boolean;
  readonly connection: Client['connection'] & { readonly stream: Socket };
}

/**
 * Destroys a connection whose server is silent during a query; the pool then opens another. Uses one socket timeout per
 * connection instead of pg's `query_timeout`: a timer per query keeps its rows alive, which doubles the heap and makes
 * lists slower by half.
 */
function destroyWhenSilent(client: OpenClient, silenceMs: number): void {
  const { stream } = client.connection;
  stream.setTimeout(silenceMs);
  stream.on('timeout', () => {
    if (!client.readyForQuery) stream.destroy(new Error('Query read timeout'));
  });
}

/** Keeps TypeORM from printing failed migrations in addition to our one-line error. */
class Silent extends AbstractLogger {
  protected writeLog(): void {}
}

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
    // Sends keepalives before a NAT or firewall drops an idle connection.
    keepAliveInitialDelayMillis: 30_000,
    // 0: no idle timer per release, which would also keep rows alive. Broken connections leave the pool automatically.
    idleTimeoutMillis: 0,
    onConnect: (client) => {
      destroyWhenSilent(client as OpenClient, limits.silence);
      return client.query(session(limits));
    },
  };
}

/**
 * The one set of database options, for the service, operator commands and tests. Modules add the entities that they have
 * repositories of (`TypeOrmModule.forFeature`); the others type rows of statements. A test compares all with the migrations.
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
