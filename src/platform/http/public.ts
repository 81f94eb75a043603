import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

/**
 * Opens a route to everyone. A route with neither this nor `@RequireScope` refuses every request.
 * @param config the rest of the route's config: a second `RouteConfig` would overwrite this one.
 */
export const Public = (config: Omit<FastifyContextConfig, 'access'> = {}) =>
  RouteConfig({ ...config, access: 'public' });
