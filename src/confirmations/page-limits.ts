import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../errors/app-error.js';

const PER_MINUTE = { points: 30, duration: 60 };

/**
 * What the recipient's page bears in a minute, counted in this process: 30 unknown links per address and 30
 * answers per link. Phones share their carrier's addresses, so a link that exists never counts against one.
 */
@Injectable()
export class PageLimits {
  private readonly misses = new RateLimiterMemory(PER_MINUTE);
  private readonly answers = new RateLimiterMemory(PER_MINUTE);

  /** @throws AppError `demasiadas_solicitudes` with `Retry-After` beyond the limit. */
  countMiss(ip: string): Promise<void> {
    return count(this.misses, bucketOf(ip));
  }

  /** For a link that exists alone: whoever invents links must not fill the memory. @throws as `countMiss` */
  countAnswer(token: string): Promise<void> {
    return count(this.answers, token);
  }
}

/** One of 65,536: an attacker has any number of IPv6 addresses, and sharing a bucket costs nobody's valid link. */
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
