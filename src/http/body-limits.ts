import type { FastifyInstance } from 'fastify';

/** Bytes. The largest valid guide stays below it, even in four-byte characters. */
export const BODY_LIMIT = 32 * 1024;

/** Body limit in bytes of routes that verify a signature over the raw body. */
const RAW_ROUTES: Record<string, number> = {
  // Meta's maximum.
  '/webhooks/whatsapp': 3 * 1024 * 1024,
};

/** Body limit in bytes of batch routes. */
const BATCH_ROUTES: Record<string, number> = {
  // A hundred events with the longest notes.
  '/api/v1/operaciones/eventos': 512 * 1024,
  '/api/v1/guias/lote': 1024 * 1024,
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
