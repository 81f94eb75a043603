import type { FastifyInstance } from 'fastify';

/** Set on requests below `/admin`: who of the staff asks. */
export const STAFF_DECORATOR = 'adminUser';

/** Whether the service has pages for staff; without `BOARD_USERS` it may have none. */
export function hasConsole(fastify: FastifyInstance): boolean {
  return fastify.hasRequestDecorator(STAFF_DECORATOR);
}
