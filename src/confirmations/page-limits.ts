import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../errors/app-error.js';

const PER_MINUTE = { points: 30, duration: 60 };

/**
 * Rate limits of the recipient's page, counted in this process: 30 unknown links a minute per address and 30
 * answers a minute per link. Phones share their carrier's addresses, so opening an existing link counts
 * nothing.
 */
@Injectable()
export class PageLimits {
  private readonly misses = new RateLimiterMemory(PER_MINUTE);
  private readonly answers = new RateLimiterMemory(PER_MINUTE);

  /** @throws AppError `demasiadas_solicitudes` with `Retry-After` beyond the limit. */
  countMiss(ip: string): Promise<void> {
    return count(this.misses, bucketOf(ip));
  }

  /** To be called for existing links only: invented ones would fill the memory. @throws as `countMiss` */
  countAnswer(token: string): Promise<void> {
    return count(this.answers, token);
  }
}

/** One of 65,536: IPv6 addresses are unlimited, and a shared bucket refuses no existing link. */
function bucketOf(ip: string): string {
  return hash('sha256', ip, 'hex').slice(0, 4);
}

async function count(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
    throw new AppError('demasiadas_solicitudes', { headers: { 'Retry-After': String(seconds) } });
  }
}
