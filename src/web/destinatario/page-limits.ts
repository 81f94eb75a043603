import { Injectable } from '@nestjs/common';
import { bucketOfAddress, RateLimiter } from '../../auth/rate-limiter.js';

/** Per minute: unknown links of an address; answers to a link. */
const PER_MINUTE = 30;

/**
 * Rate limits of the recipient's page, counted in this process. Phones share their carrier's addresses, so a valid link
 * never counts against an address.
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
    return this.misses.count(bucketOfAddress(ip));
  }

  /** To be called only for a link that exists: invented links would fill the memory. @throws as `countMiss` */
  countAnswer(token: string): Promise<void> {
    return this.answers.count(token);
  }
}
