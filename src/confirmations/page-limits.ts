import { Injectable } from '@nestjs/common';
import { bucketOf, RateLimiter } from '../auth/rate-limiter.js';

/** Unknown links of an address, and answers to a link, per minute. */
const PER_MINUTE = 30;

/**
 * Limits of the recipient's page, counted in this process: 30 unknown links per address and minute, and 30
 * answers per link and minute. Phones share their carrier's addresses, so a valid link never counts against one.
 */
@Injectable()
export class PageLimits {
  private readonly misses = new RateLimiter(PER_MINUTE);
  private readonly answers = new RateLimiter(PER_MINUTE);

  /**
   * Addresses that share a bucket share its count, which affects no valid link.
   * @throws AppError `demasiadas_solicitudes` with `Retry-After` beyond the limit.
   */
  countMiss(ip: string): Promise<void> {
    return this.misses.count(bucketOf(ip));
  }

  /** Only for a link that exists: invented links must not fill the memory. @throws as `countMiss` */
  countAnswer(token: string): Promise<void> {
    return this.answers.count(token);
  }
}
