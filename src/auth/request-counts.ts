import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Cluster, Redis, type ClusterOptions } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { Config } from '../platform/config/env.js';
import {
  CLUSTER_CLIENT,
  REDIS_CONNECT_MS,
  redisBackoff,
  type RedisAddress,
} from '../platform/config/redis-address.js';
import { withTimeout } from '../platform/timeouts/with-timeout.js';
import { InjectLogger } from '../platform/logging/logging.module.js';
import { WINDOW_S, type Count } from './rate-limiter.js';

/** ms; timeout of a count. Redis usually answers within one. */
const ANSWER_MS = 100;

/** ms between probes of a Redis that did not answer. */
const PROBE_MS = 1_000;

/** ms between two warnings. */
const WARN_EVERY_MS = 30_000;

/** Of each connection; times in ms. */
const LIMITS = {
  maxRetriesPerRequest: 0,
  connectTimeout: REDIS_CONNECT_MS,
  socketTimeout: 5_000,
};

const CLIENT = {
  lazyConnect: true,
  // A command that cannot be sent at once fails; the request is then counted in this process.
  enableOfflineQueue: false,
};

/** A command follows one redirection to another node. During a failover it fails instead of waiting for the new master. */
const CLUSTER: ClusterOptions = {
  ...CLUSTER_CLIENT,
  ...CLIENT,
  maxRedirections: 1,
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
};

const ONE = { ...CLIENT, ...LIMITS, sentinelCommandTimeout: REDIS_CONNECT_MS, retryStrategy: redisBackoff };

/**
 * Counts the requests of each API key in windows of a minute: shared by all processes with `REDIS_URL`; in this process
 * only without it, or while Redis does not answer.
 */
@Injectable()
export class RequestCounts implements OnModuleInit, OnApplicationShutdown {
  private readonly local = new LocalCounts();
  private readonly redis: Redis | Cluster | undefined;
  private readonly shared: RateLimiterRedis | undefined;
  private isAway = false;
  private warnedAt = -Infinity;

  constructor(
    { rateLimitPerMinute: points, redis }: Config,
    @InjectLogger() private readonly logger: Logger,
  ) {
    if (redis === undefined) return;
    this.redis = clientFor(redis);
    this.redis.on('error', (error: Error) => this.warn(error));
    const options = { points, duration: WINDOW_S, keyPrefix: 'guias-solicitudes' };
    this.shared = new RateLimiterRedis({ ...options, storeClient: this.redis });
  }

  /** Connects before requests arrive, because without a connection they are counted in this process. */
  async onModuleInit(): Promise<void> {
    const { redis } = this;
    if (redis === undefined) return;
    const connecting = redis.connect().then(() => ping(redis));
    // A Redis that does not answer delays the start no longer.
    await withTimeout(REDIS_CONNECT_MS, connecting).catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /** Adds requests to a key's count: at once in this process. @param points negative to take some back. */
  add(key: string, points: number): Count | Promise<Count> {
    const { redis, shared } = this;
    const isShared = shared && !this.isAway && redis?.status === 'ready';
    return isShared ? this.addShared(shared, redis, key, points) : this.local.add(key, points);
  }

  private async addShared(
    shared: RateLimiterRedis,
    redis: Redis | Cluster,
    key: string,
    points: number,
  ): Promise<Count> {
    try {
      // Unlike `consume`, `penalty` does not throw above the limit.
      return await withTimeout(ANSWER_MS, shared.penalty(key, points));
    } catch (error) {
      this.warn(error);
      if (!this.isAway) void this.waitForAnswer(redis);
      return this.local.add(key, points);
    }
  }

  /** Probes a Redis that hangs until it answers, so that only one request had to wait for it. */
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
    this.logger.warn({ err: error }, 'REDIS_URL: Redis does not answer; rate limits are counted per process');
  }
}

/** Windows of this process, one for each key that was used: no more than there are keys. */
class LocalCounts {
  private readonly windows = new Map<string, { points: number; endsAt: number }>();

  add(key: string, points: number): Count {
    // Whole, so that the end of a window less its beginning is exact.
    const now = Math.floor(performance.now());
    let window = this.windows.get(key);
    if (!window || window.endsAt <= now) {
      window = { points: 0, endsAt: now + WINDOW_S * 1_000 };
      this.windows.set(key, window);
    }
    window.points += points;
    return { consumedPoints: window.points, msBeforeNext: window.endsAt - now };
  }
}

function clientFor(redis: RedisAddress): Redis | Cluster {
  if ('nodes' in redis)
    return new Cluster(redis.nodes, { ...CLUSTER, redisOptions: { ...redis.redisOptions, ...LIMITS } });
  return 'url' in redis ? new Redis(redis.url, ONE) : new Redis({ ...redis, ...ONE });
}

/** Asks the server, or all masters of a cluster, which also opens connections to them. @throws where one does not answer. */
async function ping(redis: Redis | Cluster): Promise<void> {
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  await Promise.all(servers.map((server) => server.ping()));
}
