import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../platform/config/env.js';
import type { Credential } from './keys/authentication.service.js';
import { refusal, secondsOf, WINDOW_S, type Count } from './rate-limiter.js';
import { RequestCounts } from './request-counts.js';

type Caller = Pick<Credential, 'keyId' | 'merchant'>;

/** Whose requests count together: those of a key, or of a merchant's sessions without one. */
export const counterOf = ({ keyId, merchant }: Caller): string => keyId ?? merchant!.id;

/** The rate limit per minute of each API key; answers report the rest (draft-ietf-httpapi-ratelimit-headers). */
@Injectable()
export class KeyLimits {
  private readonly perMinute: number;
  private readonly policy: string;

  constructor(
    { rateLimitPerMinute }: Config,
    private readonly counts: RequestCounts,
  ) {
    this.perMinute = rateLimitPerMinute;
    this.policy = `"clave";q=${rateLimitPerMinute};w=${WINDOW_S}`;
  }

  /**
   * Counts a request: at once where this process counts it, which spares each request some promises.
   * @throws AppError `demasiadas_solicitudes` with `Retry-After` beyond the limit.
   */
  count(caller: Caller, reply: FastifyReply): void | Promise<void> {
    const count = this.counts.add(counterOf(caller), 1);
    return count instanceof Promise ? count.then((one) => this.admit(reply, one)) : this.admit(reply, count);
  }

  private admit(reply: FastifyReply, count: Count): void {
    this.setHeaders(reply, count);
    if (count.consumedPoints > this.perMinute) throw refusal(count);
  }

  /**
   * Counts a request, which was counted as one when it arrived, as `cost` requests. A cost above the limit counts as the
   * whole limit: otherwise the request could never be sent.
   * @throws AppError `demasiadas_solicitudes` if fewer are left; the request then counts as one.
   */
  async charge({ credential }: FastifyRequest, reply: FastifyReply, cost: number): Promise<void> {
    const more = Math.min(cost, this.perMinute) - 1;
    if (!credential || more <= 0) return;
    const counter = counterOf(credential);
    const count = await this.counts.add(counter, more);
    const isBeyond = count.consumedPoints > this.perMinute;
    this.setHeaders(reply, isBeyond ? await this.refund(counter, more, count) : count);
    if (isBeyond) throw refusal(count);
  }

  /**
   * Takes back what was charged. Where the window ended after the charge, the new one keeps its count: below zero, more
   * requests than the limit would pass.
   * @param charged the count after the charge.
   */
  private async refund(counter: string, points: number, charged: Count): Promise<Count> {
    const count = await this.counts.add(counter, -points);
    // The time that is left of a window never grows.
    const isSameWindow = count.consumedPoints >= 0 && count.msBeforeNext <= charged.msBeforeNext;
    return isSameWindow ? count : this.counts.add(counter, points);
  }

  private setHeaders(reply: FastifyReply, count: Count): void {
    const left = Math.max(0, this.perMinute - count.consumedPoints);
    void reply.header('RateLimit-Policy', this.policy);
    void reply.header('RateLimit', `"clave";r=${left};t=${secondsOf(count)}`);
  }
}
