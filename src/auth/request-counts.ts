import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { Config } from '../config/env.js';
import { InjectLogger } from '../logging/logging.module.js';

/** Seconds in which requests are counted together. */
export const WINDOW_S = 60;

/** ms. Redis answers in less than one; a request waits no longer for a count. */
const ANSWER_MS = 100;

/** ms between looks whether a Redis that did not answer does so again. */
const PROBE_MS = 1_000;

/** ms between two warnings. */
const WARN_EVERY_MS = 30_000;

const CONNECTION = {
  lazyConnect: true,
  // A command that cannot be sent at once fails, and is counted here.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 2_000,
  commandTimeout: ANSWER_MS,
  socketTimeout: 5_000,
  sentinelCommandTimeout: 2_000,
  retryStrategy: (times: number) => Math.min(times * 100, 2_000),
};

/**
 * Counts the requests of each API key in windows of a minute: with `REDIS_URL` for all processes together, else, and while
 * Redis does not answer, in this process alone.
 */
@Injectable()
export class RequestCounts implements OnModuleInit, OnApplicationShutdown {
  private readonly local: RateLimiterMemory;
  private readonly redis: Redis | undefined;
  private readonly shared: RateLimiterRedis | undefined;
  private isAway = false;
  private warnedAt = -Infinity;

  constructor(
    { rateLimitPerMinute: points, redis }: Config,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.local = new RateLimiterMemory({ points, duration: WINDOW_S });
    if (redis === undefined) return;
    this.redis = 'url' in redis ? new Redis(redis.url, CONNECTION) : new Redis({ ...redis, ...CONNECTION });
    this.redis.on('error', (error: Error) => this.warn(error));
    const options = { points, duration: WINDOW_S, keyPrefix: 'guias-solicitudes' };
    this.shared = new RateLimiterRedis({ ...options, storeClient: this.redis });
  }

  /** Requests that arrive before the connection is there would be counted in this process. */
  async onModuleInit(): Promise<void> {
    await this.redis?.connect().catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /** Adds requests to a key's count. @param points negative to take some back. */
  async add(key: string, points: number): Promise<Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>> {
    // Unlike `consume`, it returns the count beyond the limit too.
    if (this.shared && !this.isAway && this.redis?.status === 'ready') {
      try {
        return await this.shared.penalty(key, points);
      } catch (error) {
        this.warn(error);
        if (!this.isAway) void this.waitForAnswer(this.redis);
      }
    }
    return this.local.penalty(key, points);
  }

  /** Only one request, not each, waits for a Redis that hangs. */
  private async waitForAnswer(redis: Redis): Promise<void> {
    this.isAway = true;
    while (this.isAway) {
      await sleep(PROBE_MS, undefined, { ref: false });
      if (redis.status === 'end') return;
      this.isAway = await redis.ping().then(
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
