import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Config } from '../config/env.js';
import { AppError } from '../errors/app-error.js';
import type { AuthenticatedRequest } from './decorators.js';

const WINDOW_MS = 60_000;
const KEYS = 10_000;

/**
 * Requests per API key and minute, counted in this process. It counts after authentication: before it,
 * anyone could use up a merchant's share with the public part of its key.
 */
@Injectable()
export class RateLimit {
  private check: ReturnType<FastifyInstance['createRateLimit']> | undefined;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly config: Config,
  ) {}

  /** To be called once, before the server is ready. */
  static async register(fastify: FastifyInstance): Promise<void> {
    await fastify.register(rateLimit, { global: false, cache: KEYS });
  }

  /** @throws AppError `demasiadas_solicitudes` with `Retry-After` beyond the limit. */
  async count(request: FastifyRequest): Promise<void> {
    this.check ??= this.adapterHost.httpAdapter.getInstance<FastifyInstance>().createRateLimit({
      max: this.config.rateLimitPerMinute,
      timeWindow: WINDOW_MS,
      keyGenerator: (counted) => (counted as AuthenticatedRequest).credential!.keyId,
    });
    const result = await this.check(request);
    if (!result.isAllowed && result.isExceeded) {
      throw new AppError('demasiadas_solicitudes', {
        headers: { 'Retry-After': String(Math.max(1, result.ttlInSeconds)) },
      });
    }
  }
}
