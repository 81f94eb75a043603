import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import pg, { type ClientConfig } from 'pg';
import { readDatabaseUrl } from '../../config/database-url.js';
import { sqlStateOf } from '../sqlstate.js';
import { NoPrimary, PrimarySearch } from './primary-search.js';
import { scramSocket } from './scram-socket.js';

type Callback = (error: Error | null, client?: pg.Client) => void;

const READ_ONLY = `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

/** For `pg.Pool` and `pg.Client`: how a database URL is reached. */
interface Connection {
  connectionString: string;
  /** If the URL names several servers: a client that connects to the one that accepts writes; an option of pg-pool. */
  Client?: typeof pg.Client;
  /** Of the embedded server: makes the socket of each connection. */
  stream?: () => Socket;
}

/** The query of the embedded server's URLs, named as in libpq: another program may take its port while it is down. */
export const SCRAM_ALONE = 'require_auth=scram-sha-256';

const connections = new Map<string, Connection>();

/**
 * How the database of a DATABASE_URL is reached. If the URL names several servers, every pool and client of the process
 * connects to the one that takes writes.
 */
export function connectionOf(url: string): Connection {
  const known = connections.get(url);
  if (known) return known;
  const connection = toConnection(url);
  connections.set(url, connection);
  return connection;
}

function toConnection(url: string): Connection {
  if (url.endsWith(`?${SCRAM_ALONE}`))
    return { connectionString: url.slice(0, -SCRAM_ALONE.length - 1), stream: scramSocket };
  const address = readDatabaseUrl(url);
  if (!address?.isSearched) return { connectionString: url };
  return { connectionString: address.urls[0]!, Client: clientOf(new PrimarySearch(address.urls)) };
}

/** A client for a DATABASE_URL, not yet connected. */
export function clientFor(url: string, config: ClientConfig = {}): pg.Client {
  const { Client = pg.Client, ...connection } = connectionOf(url);
  return new Client({ ...config, ...connection });
}

/** Runs a function with a connection of its own. Timeout of the connect: 10 s. */
export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = clientFor(url, { connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}

/** A client class that connects to the server that accepts writes, and disconnects once another server does. */
function clientOf(search: PrimarySearch): typeof pg.Client {
  return class PrimaryClient extends pg.Client {
    private server = '';

    constructor(config?: string | ClientConfig) {
      super({ ...(typeof config === 'string' ? {} : config), connectionString: search.last });
      // An unhandled 'error' event ends the process, and pg-pool starts listening only after `connect`.
      this.on('error', () => undefined);
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Parameters<pg.Client['connect']>[0]): void;
    override connect(callback?: unknown): unknown {
      if (!callback) return this.connectToPrimary();
      return callbackify(() => this.connectToPrimary())(callback as Callback);
    }

    /** Closes the connection when a write finds the server read-only. */
    override query(...statement: unknown[]): never {
      const result = (super.query as (...statement: unknown[]) => unknown).apply(this, statement);
      if (result instanceof Promise)
        result.catch((error: unknown) => {
          if (sqlStateOf(error) === '25006') this.leave();
        });
      // `never` suits every form of `query`.
      return result as never;
    }

    private async connectToPrimary(): Promise<this> {
      this.server = await search.find();
      const { host, port } = new pg.Client({ connectionString: this.server });
      Object.assign(this, { host, port });
      try {
        await super.connect();
        const { rows } = await super.query<{ isReadOnly: boolean }>(READ_ONLY);
        // Another connection may have found a new primary meanwhile.
        if (rows[0]!.isReadOnly || search.last !== this.server) throw new NoPrimary();
      } catch (error) {
        this.leave();
        throw error;
      }
      const stop = search.onMove((url) => url !== this.server && this.leave());
      this.once('end', stop);
      return this;
    }

    /** Closes the connection. A pool that keeps it idle treats it as a broken connection. */
    private leave(): void {
      search.forget(this.server);
      this.emit('error', new NoPrimary());
      void this.end().catch(() => undefined);
    }
  };
}
