import { HttpException } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';

/** Bytes. */
const KIB = 1024;
const MIB = 1024 * KIB;

/** Bytes. The largest valid guide stays below it, even in four-byte characters. */
export const BODY_LIMIT = 32 * KIB;

/** Body limit in bytes of routes that verify a signature over the raw body. */
const RAW_ROUTES: Record<string, number> = {
  // Meta's maximum.
  '/webhooks/whatsapp': 3 * MIB,
};

/** Body limit in bytes of batch routes. */
const BATCH_ROUTES: Record<string, number> = {
  // A hundred events with the longest notes.
  '/api/v1/operaciones/eventos': 512 * KIB,
  '/api/v1/guias/lote': MIB,
};

const LIMITS: Record<string, number> = { ...RAW_ROUTES, ...BATCH_ROUTES };

/** Whether a route's handler gets the raw body, as a Buffer. */
export function isRawRoute(url: string | undefined): boolean {
  return url !== undefined && Object.hasOwn(RAW_ROUTES, url);
}

/** Call it before any route is registered. */
export function limitBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (Object.hasOwn(LIMITS, route.url)) route.bodyLimit = LIMITS[route.url];
  });
}

/** How a body above its route's limit is answered: with that limit, and what to do. */
export function readBodyTooLarge(error: unknown, { routeOptions }: FastifyRequest): AppError | undefined {
  if (!(error instanceof HttpException && error.getStatus() === 413)) return undefined;
  const { url = '', bodyLimit } = routeOptions;
  const limit = bodyLimit < MIB ? `${bodyLimit / KIB} KiB` : `${bodyLimit / MIB} MiB`;
  const advice = Object.hasOwn(BATCH_ROUTES, url)
    ? 'Divida el lote y envíe cada parte en su propia solicitud.'
    : 'Acorte los textos y quite lo que sobre.';
  return new AppError('cuerpo_demasiado_grande', {
    detail: `El cuerpo puede tener hasta ${limit}. ${advice}`,
    cause: error,
  });
}
