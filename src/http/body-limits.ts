import type { FastifyInstance } from 'fastify';

/** Bytes. The largest valid guide stays below it, even in four-byte characters. */
export const BODY_LIMIT = 32 * 1024;

/** Routes whose body is signed, and so is needed byte for byte, with their limit in bytes. */
const RAW_ROUTES: Record<string, number> = {
  // What Meta sends at most.
  '/webhooks/whatsapp': 3 * 1024 * 1024,
};

/** Routes that take more than one thing at once. */
const BATCH_ROUTES: Record<string, number> = {
  // A hundred events with the longest notes.
  '/api/v1/operaciones/eventos': 512 * 1024,
};

const LIMITS: Record<string, number> = { ...RAW_ROUTES, ...BATCH_ROUTES };

/** Whether a route's handler gets the body as it came, as a Buffer. */
export function isRawRoute(url: string | undefined): boolean {
  return url !== undefined && Object.hasOwn(RAW_ROUTES, url);
}

/** To be called before any route is registered. */
export function limitBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (Object.hasOwn(LIMITS, route.url)) route.bodyLimit = LIMITS[route.url];
  });
}
