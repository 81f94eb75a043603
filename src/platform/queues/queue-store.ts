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
import { connectionOf } from '../database/connection.js';
import { QUEUE_SCHEMA } from '../database/queue-tables.js';
import { createClusterBackend, type ClusterConnection } from './cluster-backend.js';
import { PRODUCER_POOL, workerPool } from './pool-sizes.js';
import { createFixedPostgresBackend } from './postgres-backend.js';
import { redisRefusal } from './redis-refusal.js';
import { isOutage } from './store-away.js';

/** Milliseconds. */
const CONNECT_TIMEOUT = 2_000;
const QUERY_TIMEOUT = 4_500;

/** Milliseconds between two warnings of one kind about one queue; BullMQ emits an error for every attempt to reconnect. */
const WARN_EVERY_MS = 30_000;

/** Milliseconds for which an error of Redis counts; while it fails, every attempt to reconnect brings another. */
const FAULT_MS = 10_000;

/** Options of connections to one server, or to the master that Sentinels name. */
const REDIS = {
  connectTimeout: CONNECT_TIMEOUT,
  sentinelCommandTimeout: CONNECT_TIMEOUT,
  retryStrategy: redisBackoff,
  sentinelRetryStrategy: redisBackoff,
  /** 2 reconnects and repeats the command: the server became a replica, and the new master takes it. */
  reconnectOnError: ({ message }: Error) => (message.startsWith('READONLY') ? 2 : false),
} satisfies RedisOptions;

/** For producers: without a queue in memory, commands fail at once while the cluster is away. */
const FAIL_FAST_CLUSTER = { enableOfflineQueue: false } satisfies ClusterOptions;

/** For workers. Milliseconds between retries while a replica is promoted, or slots are moved. */
const RETRYING_CLUSTER = {
  maxRedirections: Infinity,
  retryDelayOnFailover: 250,
  retryDelayOnClusterDown: 250,
  retryDelayOnMoved: 50,
} satisfies ClusterOptions;

/** The store of an application's queues: Redis if it has a URL of one, else PostgreSQL. Only this class knows which. */
export class QueueStore {
  /** The application's queues and workers that were created on this store. */
  readonly queues: Queue[] = [];
  readonly workers: Worker[] = [];
  private fault: { at: number; causa: string } | undefined;

  constructor(
    private readonly redis: RedisAddress | undefined,
    private readonly databaseUrl: string,
    readonly logger: Logger,
  ) {}

  queue(name: string): Queue {
    const queue = this.queues.find((one) => one.name === name);
    if (!queue) throw new Error(`the queue ${name} is not registered`);
    return queue;
  }

  get backend(): BackendFactory<RedisQueueBackend> {
    if (this.redis === undefined) {
      // Queue and Worker are typed for Redis, but use nothing that the PostgreSQL backend lacks.
      return createFixedPostgresBackend as unknown as BackendFactory<RedisQueueBackend>;
    }
    return 'nodes' in this.redis ? createClusterBackend : createRedisBackend;
  }

  /** For adding jobs, the same object for all queues: fails fast, because the sweep finds the rows of jobs that were not added. */
  producer(): ConnectionOptions {
    return this.redis === undefined
      ? this.postgres(PRODUCER_POOL)
      : onRedis(
          this.redis,
          { commandTimeout: QUERY_TIMEOUT, socketTimeout: 5_000, maxRetriesPerRequest: 1 },
          FAIL_FAST_CLUSTER,
        );
  }

  /** For a worker: retries until the store answers. @param concurrency jobs at a time. */
  worker(concurrency: number): ConnectionOptions {
    return this.redis === undefined
      ? this.postgres(workerPool(concurrency))
      : onRedis(this.redis, { maxRetriesPerRequest: null, socketTimeout: 20_000 }, RETRYING_CLUSTER);
  }

  /** Why Redis does not work for us, in Spanish; undefined where it does, or the queues are in PostgreSQL. */
  get causa(): string | undefined {
    return this.fault && Date.now() - this.fault.at < FAULT_MS ? this.fault.causa : undefined;
  }

  /** Remembers an error of Redis for `causa`, and says what to log of it. */
  note(error: unknown): string {
    const isAway = isOutage(error);
    const refusal = this.redis && redisRefusal(error);
    // After a refusal ioredis reports a closed connection, too: the refusal stays.
    if (this.redis && (refusal || isAway))
      this.fault = { at: Date.now(), causa: refusal?.causa ?? this.causa ?? 'Redis no responde.' };
    if (refusal) return `REDIS_URL: ${refusal.remedy}`;
    if (!isAway) return 'queue error';
    return this.redis
      ? 'REDIS_URL: Redis does not answer; trying again. Start it, or correct the address'
      : 'queue store unreachable; trying again';
  }

  /** Logs errors of a queue or worker; without a listener BullMQ would print every one of them. */
  reportErrors(source: EventEmitter, queue: string): void {
    const lastAt = new Map<string, number>();
    source.on('error', (error: Error) => {
      const text = this.note(error);
      const now = Date.now();
      if (now - (lastAt.get(text) ?? 0) < WARN_EVERY_MS) return;
      lastAt.set(text, now);
      this.logger.warn({ err: error, queue }, text);
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
      // ms; longer than a worker waits between its polls: opening a connection costs more than all that it asks.
      idleTimeoutMillis: 60_000,
    };
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
