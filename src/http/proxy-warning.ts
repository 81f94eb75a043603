import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

/** Warns once of a proxy that nobody declared: all its clients share its address, and the limits for it. */
export function warnOfProxy(fastify: FastifyInstance, logger: Logger): void {
  let hasWarned = false;
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (!hasWarned && request.headers['x-forwarded-for'] !== undefined) {
      hasWarned = true;
      logger.warn('a request has X-Forwarded-For: behind a proxy set TRUST_PROXY, else TRUST_PROXY=false');
    }
    done();
  });
}
