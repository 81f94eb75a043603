import type { FastifyInstance } from 'fastify';

/** Routes whose body is signed, and so is needed byte for byte, with their limit in bytes. */
const RAW_ROUTES: Record<string, number> = {
  // What Meta sends at most.
  '/webhooks/whatsapp': 3 * 1024 * 1024,
};

/** Whether a route's handler gets the body as it came, as a Buffer. */
export function isRawRoute(url: string | undefined): boolean {
  return url !== undefined && Object.hasOwn(RAW_ROUTES, url);
}

/** To be called before any route is registered. */
export function limitRawBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (isRawRoute(route.url)) route.bodyLimit = RAW_ROUTES[route.url];
  });
}
