import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import pg, { type ClientConfig } from 'pg';
import { scramSocket } from './scram-socket.js';

type Callback = (error: Error | null, client?: pg.Client) => void;

/**
 * How values are written, names are found, and no time limits: each user of a connection sets its own. The service relies
 * on these settings; a database, a role or a server may have others.
 */
const SESSION = settingsOf({
  statement_timeout: 0,
  lock_timeout: 0,
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: 1,
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  default_transaction_isolation: 'read committed',
  search_path: 'public',
});

/**
 * A statement that sets settings of a connection. Not startup parameters, because PgBouncer refuses most of them. One statement
 * for all: after the results of a dozen, V8 without our flag allocates later rows in its old generation (docs/performance.md,
 * Memory).
 * @param settings names and values of our own: they are not escaped.
 */
export function settingsOf(settings: Record<string, string | number>): string {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  return `select ${calls.join(', ')}`;
}

interface Connection {
  connectionString: string;
  /** An option of pg-pool. */
  Client: typeof pg.Client;
  /** Of the embedded server: makes the socket of each connection. */
  stream?: () => Socket;
}

/** The query of the embedded server's URLs, named as in libpq: another program may take its port while it is down. */
export const SCRAM_ALONE = 'require_auth=scram-sha-256';

/**
 * How the database of a URL is reached. pg checks the certificate with `require` as with `verify-full`, but for `require` it
 * prints a warning of five lines.
 */
export function connectionOf(url: string): Connection {
  if (url.endsWith(`?${SCRAM_ALONE}`))
    return { ...connectionOf(url.slice(0, -SCRAM_ALONE.length - 1)), stream: scramSocket };
  const weaker = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/;
  const connectionString = url.includes('uselibpqcompat=true') ? url : url.replace(weaker, '$1verify-full');
  return { connectionString, Client: SessionClient };
}

/** A client for a DATABASE_URL, not yet connected. */
export function clientFor(url: string, config: ClientConfig = {}): pg.Client {
  const { Client, ...connection } = connectionOf(url);
  return new Client({ ...config, ...connection });
}

/** Runs a function with a connection of its own. Timeout of the connect: 10 s. */
export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = clientFor(url, { connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}

/** A client whose connection has the settings of `SESSION`, and whose loss the next query reports. */
class SessionClient extends pg.Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    // An unhandled 'error' event ends the process, and pg-pool listens only on idle connections.
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Parameters<pg.Client['connect']>[0]): void;
  override connect(callback?: unknown): unknown {
    if (!callback) return this.open();
    return callbackify(() => this.open())(callback as Callback);
  }

  private async open(): Promise<this> {
    await super.connect();
    try {
      await super.query(SESSION);
    } catch (error) {
      void this.end().catch(() => undefined);
      throw error;
    }
    return this;
  }
}
