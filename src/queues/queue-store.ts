import type { EventEmitter } from 'node:events';
import {
  createRedisBackend,
  type BackendFactory,
  type ConnectionOptions,
  type PostgresPoolConfig,
  type Queue,
  type RedisQueueBackend,
  type Worker,
} from 'bullmq';
import type { Logger } from 'pino';
import { QUEUE_SCHEMA } from '../database/queue-tables.js';
import { createPatientPostgresBackend } from './postgres-backend.js';

/** Connections per queue, and per worker, of which one is for LISTEN. */
const PRODUCER_POOL = 2;
const WORKER_POOL = 5;

/** Milliseconds. */
const CONNECT_TIMEOUT = 2_000;
const QUERY_TIMEOUT = 4_500;

/** Milliseconds between two warnings about one queue; BullMQ emits an error for every attempt to reconnect. */
const WARN_EVERY_MS = 30_000;

/** Milliseconds before the nth attempt to reconnect to Redis. */
const redisBackoff = (times: number) => Math.min(times * 100, 2_000);

/**
 * Connection options know their store: @nestjs/bullmq gives a worker nothing but the connection options of its
 * queue, and two applications with different stores may run in one process.
 */
const stores = new WeakMap<object, QueueStore>();

/** Where an application's queues live: Redis if there is a URL of one, else PostgreSQL. The only place that knows. */
export class QueueStore {
  /** The application's queues and workers that were created on this store. */
  readonly queues: Queue[] = [];
  readonly workers: Worker[] = [];

  constructor(
    private readonly redisUrl: string | undefined,
    private readonly databaseUrl: string,
    readonly logger: Logger,
  ) {}

  /** The store that connection options were made by. */
  static of(connection: ConnectionOptions): QueueStore {
    const store = stores.get(connection);
    if (!store) throw new Error('the connection was not made by a QueueStore');
    return store;
  }

  get backend(): BackendFactory<RedisQueueBackend> {
    // Queue and Worker are typed for Redis, but use nothing that the PostgreSQL backend lacks.
    return this.redisUrl === undefined
      ? (createPatientPostgresBackend as unknown as BackendFactory<RedisQueueBackend>)
      : createRedisBackend;
  }

  /** For adding jobs: fails fast, because the database knows what is to be done. */
  producer(): ConnectionOptions {
    return this.known(
      this.redisUrl === undefined
        ? this.postgres(PRODUCER_POOL)
        : {
            url: this.redisUrl,
            connectTimeout: CONNECT_TIMEOUT,
            commandTimeout: QUERY_TIMEOUT,
            socketTimeout: 5_000,
            maxRetriesPerRequest: 1,
            retryStrategy: redisBackoff,
          },
    );
  }

  /** For workers: waits for the store as long as it takes. */
  worker(): ConnectionOptions {
    return this.known(
      this.redisUrl === undefined
        ? this.postgres(WORKER_POOL)
        : {
            url: this.redisUrl,
            connectTimeout: CONNECT_TIMEOUT,
            maxRetriesPerRequest: null,
            socketTimeout: 20_000,
            retryStrategy: redisBackoff,
          },
    );
  }

  /** Logs errors of a queue or worker; without a listener BullMQ would print every one of them. */
  reportOutages(source: EventEmitter, queue: string): void {
    let lastAt = 0;
    source.on('error', (error: Error) => {
      const now = Date.now();
      if (now - lastAt > WARN_EVERY_MS)
        this.logger.warn({ err: error, queue }, 'queue store unreachable; trying again');
      lastAt = now;
    });
  }

  private postgres(max: number): PostgresPoolConfig {
    return {
      connectionString: this.databaseUrl,
      schema: QUEUE_SCHEMA,
      max,
      application_name: 'guias-queues',
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      query_timeout: QUERY_TIMEOUT,
      keepAlive: true,
    };
  }

  private known<T extends ConnectionOptions>(connection: T): T {
    stores.set(connection, this);
    return connection;
  }
}
