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
import type { ClusterOptions, RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import { CLUSTER_CLIENT, redisBackoff, type RedisAddress } from '../config/redis-address.js';
import { connectionOf } from '../database/failover/connection.js';
import { QUEUE_SCHEMA } from '../database/queue-tables.js';
import { createClusterBackend, type ClusterConnection } from './cluster-backend.js';
import { PRODUCER_POOL, workerPool } from './pool-sizes.js';
import { createPatientPostgresBackend } from './postgres-backend.js';

/** Milliseconds. */
const CONNECT_TIMEOUT = 2_000;
const QUERY_TIMEOUT = 4_500;

/** Milliseconds between two warnings about one queue; BullMQ emits an error for every attempt to reconnect. */
const WARN_EVERY_MS = 30_000;

/** Of every connection to one server, or to the master that Sentinels name. */
const REDIS = {
  connectTimeout: CONNECT_TIMEOUT,
  sentinelCommandTimeout: CONNECT_TIMEOUT,
  retryStrategy: redisBackoff,
  sentinelRetryStrategy: redisBackoff,
  /** A server that became a replica takes no writes: the command is sent again to the new master. */
  reconnectOnError: ({ message }: Error) => (message.startsWith('READONLY') ? 2 : false),
} satisfies RedisOptions;

/** Of those that fail fast: what cannot be sent now is not kept, else it would pile up while the cluster is away. */
const HASTY_CLUSTER = { enableOfflineQueue: false } satisfies ClusterOptions;

/** Of those that wait. Milliseconds between tries while a replica is promoted, or slots are moved. */
const PATIENT_CLUSTER = {
  maxRedirections: Infinity,
  retryDelayOnFailover: 250,
  retryDelayOnClusterDown: 250,
  retryDelayOnMoved: 50,
} satisfies ClusterOptions;

/** What `AppQueue` adds to BullMQ's queue. An interface, because `app-queue.ts` imports this file. */
export interface PausableQueue extends Queue {
  pauseFor(ms: number): Promise<void>;
  endPause(): Promise<boolean>;
}

/**
 * Connection options know their store: @nestjs/bullmq gives a worker nothing but the connection options of its
 * queue, and two applications with different stores may run in one process.
 */
const stores = new WeakMap<object, QueueStore>();

/** Where an application's queues live: Redis if there is a URL of one, else PostgreSQL. The only place that knows. */
export class QueueStore {
  /** The application's queues and workers that were created on this store. */
  readonly queues: PausableQueue[] = [];
  readonly workers: Worker[] = [];

  constructor(
    private readonly redis: RedisAddress | undefined,
    private readonly databaseUrl: string,
    readonly logger: Logger,
  ) {}

  /** The store that connection options were made by. */
  static of(connection: ConnectionOptions): QueueStore {
    const store = stores.get(connection);
    if (!store) throw new Error('the connection was not made by a QueueStore');
    return store;
  }

  queue(name: string): PausableQueue {
    const queue = this.queues.find((one) => one.name === name);
    if (!queue) throw new Error(`no module registers the queue ${name}`);
    return queue;
  }

  get backend(): BackendFactory<RedisQueueBackend> {
    if (this.redis === undefined) {
      // Queue and Worker are typed for Redis, but use nothing that the PostgreSQL backend lacks.
      return createPatientPostgresBackend as unknown as BackendFactory<RedisQueueBackend>;
    }
    return 'nodes' in this.redis ? createClusterBackend : createRedisBackend;
  }

  /** For adding jobs: fails fast, because the database knows what is to be done. */
  producer(): ConnectionOptions {
    return this.known(
      this.redis === undefined
        ? this.postgres(PRODUCER_POOL)
        : onRedis(
            this.redis,
            { commandTimeout: QUERY_TIMEOUT, socketTimeout: 5_000, maxRetriesPerRequest: 1 },
            HASTY_CLUSTER,
          ),
    );
  }

  /** For a worker: waits for the store as long as it takes. @param concurrency jobs at a time. */
  worker(concurrency: number): ConnectionOptions {
    return this.known(
      this.redis === undefined
        ? this.postgres(workerPool(concurrency))
        : onRedis(this.redis, { maxRetriesPerRequest: null, socketTimeout: 20_000 }, PATIENT_CLUSTER),
    );
  }

  /** Logs errors of a queue or worker; without a listener BullMQ would print every one of them. */
  reportOutages(source: EventEmitter, queue: string): void {
    let lastAt = 0;
    source.on('error', (error: Error) => {
      const now = Date.now();
      if (now - lastAt < WARN_EVERY_MS) return;
      lastAt = now;
      this.logger.warn({ err: error, queue }, 'queue store unreachable; trying again');
    });
  }

  private postgres(max: number): PostgresPoolConfig {
    return {
      ...connectionOf(this.databaseUrl),
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

function onRedis(
  redis: RedisAddress,
  options: Pick<RedisOptions, 'commandTimeout' | 'maxRetriesPerRequest' | 'socketTimeout'>,
  clusterOptions: ClusterOptions,
): ConnectionOptions {
  if (!('nodes' in redis)) return { ...redis, ...REDIS, ...options };
  const redisOptions = { ...redis.redisOptions, connectTimeout: CONNECT_TIMEOUT, ...options };
  return {
    nodes: redis.nodes,
    ...CLUSTER_CLIENT,
    ...clusterOptions,
    redisOptions,
  } satisfies ClusterConnection;
}
