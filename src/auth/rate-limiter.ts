import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../errors/app-error.js';

/** Seconds. */
const WINDOW_S = 60;

/** A limit per minute for each key (an API key, an address, …), counted in this process. */
export class RateLimiter {
  private readonly limiter: RateLimiterMemory;

  constructor(perMinute: number) {
    this.limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_S });
  }

  /** Counts one. @throws AppError `demasiadas_solicitudes` with `Retry-After` beyond the limit. */
  async count(key: string): Promise<void> {
    try {
      await this.limiter.consume(key);
    } catch (error) {
      throw error instanceof RateLimiterRes ? refusal(error) : error;
    }
  }

  /** Takes back one count. */
  async refund(key: string): Promise<void> {
    await this.limiter.reward(key);
  }
}

function refusal({ msBeforeNext }: RateLimiterRes): AppError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
  return new AppError('demasiadas_solicitudes', { headers: { 'Retry-After': String(seconds) } });
}
