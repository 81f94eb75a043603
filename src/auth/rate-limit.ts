import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Config } from '../config/env.js';
import { AppError } from '../errors/app-error.js';

const WINDOW_S = 60;

/**
 * Requests per API key and minute, counted in this process. It counts after authentication: before it,
 * anyone could use up a merchant's share with the public part of its key.
 */
@Injectable()
export class RateLimit {
  private readonly limiter: RateLimiterMemory;

  constructor({ rateLimitPerMinute }: Config) {
    this.limiter = new RateLimiterMemory({ points: rateLimitPerMinute, duration: WINDOW_S });
  }

  /** @throws AppError `demasiadas_solicitudes` with `Retry-After` beyond the limit. */
  async count(keyId: string): Promise<void> {
    try {
      await this.limiter.consume(keyId);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
      throw new AppError('demasiadas_solicitudes', { headers: { 'Retry-After': String(seconds) } });
    }
  }
}
