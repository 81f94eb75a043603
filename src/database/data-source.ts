import type { Socket } from 'node:net';
import type { DataSourceOptions } from 'typeorm';
import type { Client, PoolConfig } from 'pg';
import { migrations } from '../../migrations/index.js';

/** Connections of one process. Ten saturate two cores; more only wait inside PostgreSQL. */
const POOL_SIZE = 10;

/**
 * Timestamps are sent as PostgreSQL's text, cut to ISO 8601: the text must be UTC. Storage is not a spinning
 * disk: with the default of 4 the planner sorts a state's guides where its index has them in order.
 */
const SESSION = `set timezone to 'UTC'; set random_page_cost to 1.1`;

/** Longer than a server that works lets anybody wait for an answer, see `statement_timeout`. */
const SILENCE_MS = 4_500;

interface OpenClient extends Client {
  /** False while a query is under way. */
  readonly readyForQuery: boolean;
  readonly connection: Client['connection'] & { readonly stream: Socket };
}

/**
 * A server that is frozen, or gone without a word, does not enforce its own limit: the connection is given up, and
 * another takes its place. Once for a connection, and not by pg's `query_timeout`: its timer for each query keeps
 * the rows alive for so long that the heap doubles and a list costs half as much again.
 */
function endWhenSilent(client: OpenClient): void {
  const { stream } = client.connection;
  stream.setTimeout(SILENCE_MS);
  stream.on('timeout', () => {
    if (!client.readyForQuery) stream.destroy(new Error('Query read timeout'));
  });
}

/**
 * The one set of database options: service, operator commands and tests. Entities are not named here:
 * each module brings its own (`TypeOrmModule.forFeature`).
 *
 * Waiting is bounded so that an answer leaves within 5 s whatever the database does: 2 s for a free
 * connection, 4 s for an answer.
 */
export function dataSourceOptions(url: string): DataSourceOptions {
  const pool: PoolConfig = {
    max: POOL_SIZE,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 4_000,
    keepAlive: true,
    // Before what lies between forgets a connection that nobody uses.
    keepAliveInitialDelayMillis: 30_000,
    // No timer at each release: it, too, would keep rows alive. A connection that breaks leaves by itself.
    idleTimeoutMillis: 0,
    // Awaited, although the types say void.
    onConnect: (client) => {
      endWhenSilent(client as OpenClient);
      return client.query(SESSION) as unknown as void;
    },
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
