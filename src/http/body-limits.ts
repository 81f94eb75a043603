import { HttpException } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { KIB, MIB } from './route-body.js';

/** Bytes. The largest valid guide stays below it, even in four-byte characters. */
export const BODY_LIMIT = 32 * KIB;

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
  const limit = bodyLimit < MIB ? `${bodyLimit / KIB} KiB` : `${bodyLimit / MIB} MiB`;
  const advice = config.isBatch
    ? 'Divida el lote y envíe cada parte en su propia solicitud.'
    : 'Acorte los textos y quite lo que sobre.';
  return new AppError('cuerpo_demasiado_grande', {
    detail: `El cuerpo puede tener hasta ${limit}. ${advice}`,
    cause: error,
  });
}
