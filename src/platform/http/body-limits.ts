import { HttpException } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { bodyLimitError } from '../errors/route-errors.js';

declare module 'fastify' {
  /** Bodies that a route takes, beside JSON of at most `BODY_LIMIT` bytes. */
  interface FastifyContextConfig {
    /** Bytes. */
    bodyLimit?: number;
    /** Whether the body is a list, which the caller may divide among several requests. */
    isBatch?: boolean;
    /** Whether the handler gets JSON as a Buffer, to verify a signature over its bytes. */
    takesRawJson?: boolean;
    /** Whether the handler also takes CSV, as a Buffer. */
    takesCsv?: boolean;
    /** Whether the handler also takes what a page's form sends. */
    takesForm?: boolean;
    /** The field that such a form may repeat, like the checkboxes of a selection; its values are joined by commas. */
    formList?: string | undefined;
  }
}

/** Call it before any route is registered. */
export function limitBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const limit = route.config?.bodyLimit;
    if (limit !== undefined) route.bodyLimit = limit;
  });
}

/** How a body above its route's limit is answered: with that limit, and what to do. */
export function readBodyTooLarge(error: unknown, { routeOptions }: FastifyRequest): AppError | undefined {
  if (!(error instanceof HttpException && error.getStatus() === 413)) return undefined;
  const { bodyLimit, config } = routeOptions;
  const { detail } = bodyLimitError(bodyLimit, config.isBatch);
  return new AppError('cuerpo_demasiado_grande', { detail, cause: error });
}
