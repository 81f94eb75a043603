import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Cluster, Redis, type ClusterOptions } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { Config } from '../config/env.js';
import {
  CLUSTER_CLIENT,
  REDIS_CONNECT_MS,
  redisBackoff,
  type RedisAddress,
} from '../config/redis-address.js';
import { withTimeout } from '../timeouts/with-timeout.js';
import { InjectLogger } from '../logging/logging.module.js';
import { WINDOW_S, type Count } from './rate-limiter.js';

/** ms. Redis answers in less than one; a request waits no longer for a count. */
const ANSWER_MS = 100;

/** ms between looks whether a Redis that did not answer does so again. */
const PROBE_MS = 1_000;

/** ms between two warnings. */
const WARN_EVERY_MS = 30_000;

/** Of each connection. */
const LIMITS = {
  maxRetriesPerRequest: 0,
  connectTimeout: REDIS_CONNECT_MS,
  socketTimeout: 5_000,
};

const CLIENT = {
  lazyConnect: true,
  // A command that cannot be sent at once fails, and is counted here.
  enableOfflineQueue: false,
};

/** A command follows its slot to another node once, and is not kept until a replica is promoted. */
const CLUSTER: ClusterOptions = {
  ...CLUSTER_CLIENT,
  ...CLIENT,
  maxRedirections: 1,
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
};

const ONE = { ...CLIENT, ...LIMITS, sentinelCommandTimeout: REDIS_CONNECT_MS, retryStrategy: redisBackoff };

/**
 * Counts the requests of each API key in windows of a minute: with `REDIS_URL` for all processes together, else, and while
 * Redis does not answer, in this process alone.
 */
@Injectable()
export class RequestCounts implements OnModuleInit, OnApplicationShutdown {
  private readonly local: RateLimiterMemory;
  private readonly redis: Redis | Cluster | undefined;
  private readonly shared: RateLimiterRedis | undefined;
  private isAway = false;
  private warnedAt = -Infinity;

  constructor(
    { rateLimitPerMinute: points, redis }: Config,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.local = new RateLimiterMemory({ points, duration: WINDOW_S });
    if (redis === undefined) return;
    this.redis = clientFor(redis);
    this.redis.on('error', (error: Error) => this.warn(error));
    const options = { points, duration: WINDOW_S, keyPrefix: 'guias-solicitudes' };
    this.shared = new RateLimiterRedis({ ...options, storeClient: this.redis });
  }

  /** Requests that arrive before the connection is there would be counted in this process. */
  async onModuleInit(): Promise<void> {
    const { redis } = this;
    if (redis === undefined) return;
    const connecting = redis.connect().then(() => ping(redis));
    // A start waits no longer for it.
    await withTimeout(REDIS_CONNECT_MS, connecting).catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /** Adds requests to a key's count. @param points negative to take some back. */
  async add(key: string, points: number): Promise<Count> {
    // Unlike `consume`, it returns the count beyond the limit too.
    if (this.shared && !this.isAway && this.redis?.status === 'ready') {
      try {
        return await withTimeout(ANSWER_MS, this.shared.penalty(key, points));
      } catch (error) {
        this.warn(error);
        if (!this.isAway) void this.waitForAnswer(this.redis);
      }
    }
    return this.local.penalty(key, points);
  }

  /** Only one request, not each, waits for a Redis that hangs. */
  private async waitForAnswer(redis: Redis | Cluster): Promise<void> {
    this.isAway = true;
    while (this.isAway) {
      await sleep(PROBE_MS, undefined, { ref: false });
      if (redis.status === 'end') return;
      this.isAway = await withTimeout(ANSWER_MS, ping(redis)).then(
        () => false,
        () => true,
      );
    }
  }

  private warn(error: unknown): void {
    const now = performance.now();
    if (now - this.warnedAt < WARN_EVERY_MS) return;
    this.warnedAt = now;
    this.logger.warn({ err: error }, 'Redis does not answer: each process counts requests by itself');
  }
}

function clientFor(redis: RedisAddress): Redis | Cluster {
  if ('nodes' in redis)
    return new Cluster(redis.nodes, { ...CLUSTER, redisOptions: { ...redis.redisOptions, ...LIMITS } });
  return 'url' in redis ? new Redis(redis.url, ONE) : new Redis({ ...redis, ...ONE });
}

/** @throws where a server, or a cluster's master, does not answer; connects to masters that were not needed yet. */
async function ping(redis: Redis | Cluster): Promise<void> {
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  await Promise.all(servers.map((server) => server.ping()));
}
