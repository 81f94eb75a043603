import { hash, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../platform/errors/app-error.js';

/** Seconds in which requests are counted together. */
export const WINDOW_S = 60;

/** The count of a key, and the ms until it begins anew. */
export type Count = Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>;

/** A limit for each key (an API key, an address, …) in a window, counted in this process. */
export class RateLimiter {
  private readonly limiter: RateLimiterMemory;

  /** @param duration seconds of the window. */
  constructor(points: number, duration = WINDOW_S) {
    this.limiter = new RateLimiterMemory({ points, duration });
  }

  /** Counts one. @throws AppError `demasiadas_solicitudes` with `Retry-After` beyond the limit. */
  async count(key: string): Promise<void> {
    try {
      await this.limiter.consume(key);
    } catch (error) {
      throw error instanceof RateLimiterRes ? refusal(error) : error;
    }
  }

  async refund(key: string): Promise<void> {
    await this.limiter.reward(key);
  }
}

const SALT = randomBytes(16).toString('hex');

/**
 * One of 65,536 keys for a text that strangers choose: they can send any number of them, and each key takes memory for
 * a minute. Salted, so that nobody can choose one that shares another's key.
 */
const bucketOf = (text: string): string => hash('sha256', SALT + text, 'hex').slice(0, 4);

/** The bucket of a client's address, all of an IPv6 /64 in one, and of the name that it gives, if any. */
export const bucketOfAddress = (ip: string, name = ''): string => bucketOf(`${networkOf(ip)} ${name}`);

/** The first 64 bits of an IPv6 address; any other address, also one that IPv6 embeds, as it is. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const { parts } = ipaddr.IPv6.parse(ip);
  const isEmbedding = parts.slice(0, 5).every((part) => part === 0);
  return (isEmbedding ? parts : parts.slice(0, 4)).map((part) => part.toString(16)).join(':');
}

/** Seconds until a count begins anew, at least 1. */
export const secondsOf = ({ msBeforeNext }: Count): number => Math.max(1, Math.ceil(msBeforeNext / 1_000));

/** `demasiadas_solicitudes` with `Retry-After`. */
export function refusal(count: Count): AppError {
  return new AppError('demasiadas_solicitudes', { headers: { 'Retry-After': String(secondsOf(count)) } });
}
