import {
  createRedisBackend,
  runMigrations,
  type BackendFactory,
  type ConnectionOptions,
  type PostgresPoolConfig,
  type RedisQueueBackend,
} from 'bullmq';
import pg from 'pg';
import { createPatientPostgresBackend } from './postgres-backend.js';

/** The schema of BullMQ's own tables; it migrates them itself. */
const SCHEMA = 'bullmq';

/** Connections one queue's producer and one queue's worker may have; a worker has one more, which listens. */
const PRODUCER_POOL = 2;
const WORKER_POOL = 4;

/** Milliseconds. */
const CONNECT_LIMIT = 2_000;
const ANSWER_LIMIT = 4_500;

/** Milliseconds until the nth try to reach Redis again. */
const redisRetry = (times: number) => Math.min(times * 100, 2_000);

/** Where the queues live: Redis when there is one, else the database. The one place that knows. */
export class QueueConnections {
  constructor(
    private readonly redisUrl: string | undefined,
    private readonly databaseUrl: string,
  ) {}

  /** Which of BullMQ's backends speaks to it. */
  get backend(): BackendFactory<RedisQueueBackend> {
    // BullMQ's types speak of Redis throughout, where all that counts is what the backends share.
    return this.redisUrl === undefined
      ? (createPatientPostgresBackend as unknown as BackendFactory<RedisQueueBackend>)
      : createRedisBackend;
  }

  /** Makes or updates BullMQ's tables where the queues live in PostgreSQL; safe with any number at once. */
  async migrate(): Promise<void> {
    if (this.redisUrl !== undefined) return;
    const client = new pg.Client({ connectionString: this.databaseUrl, connectionTimeoutMillis: 10_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      await runMigrations(client, SCHEMA);
    } finally {
      await client.end();
    }
  }

  /** For who adds jobs: fails fast, for the job is safe in the database. */
  producer(): ConnectionOptions {
    return this.redisUrl === undefined
      ? this.postgres(PRODUCER_POOL)
      : {
          url: this.redisUrl,
          connectTimeout: CONNECT_LIMIT,
          commandTimeout: ANSWER_LIMIT,
          socketTimeout: 5_000,
          maxRetriesPerRequest: 1,
          retryStrategy: redisRetry,
        };
  }

  /** For who works on jobs: waits for its store as long as it takes. */
  worker(): ConnectionOptions {
    return this.redisUrl === undefined
      ? this.postgres(WORKER_POOL)
      : {
          url: this.redisUrl,
          connectTimeout: CONNECT_LIMIT,
          maxRetriesPerRequest: null,
          socketTimeout: 20_000,
          retryStrategy: redisRetry,
        };
  }

  private postgres(max: number): ConnectionOptions {
    const config: PostgresPoolConfig = {
      connectionString: this.databaseUrl,
      schema: SCHEMA,
      max,
      application_name: 'guias-queues',
      connectionTimeoutMillis: CONNECT_LIMIT,
      query_timeout: ANSWER_LIMIT,
      keepAlive: true,
    };
    return config;
  }
}
