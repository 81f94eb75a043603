import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../auth/rate-limiter.js';

const PER_MINUTE = 30;

/**
 * Limits of the recipient's page, counted in this process: 30 unknown links per address and minute, and 30
 * answers per link and minute. Phones share their carrier's addresses, so a valid link never counts against one.
 */
@Injectable()
export class PageLimits {
  private readonly misses = new RateLimiter(PER_MINUTE);
  private readonly answers = new RateLimiter(PER_MINUTE);

  /** @throws AppError `demasiadas_solicitudes` with `Retry-After` beyond the limit. */
  countMiss(ip: string): Promise<void> {
    return this.misses.count(bucketOf(ip));
  }

  /** Only for a link that exists: invented links must not fill the memory. @throws as `countMiss` */
  countAnswer(token: string): Promise<void> {
    return this.answers.count(token);
  }
}

/** One of 65,536: an attacker has any number of IPv6 addresses, and sharing a bucket blocks no valid link. */
function bucketOf(ip: string): string {
  return hash('sha256', ip, 'hex').slice(0, 4);
}
