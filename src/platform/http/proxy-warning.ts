import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

/** Warns once of a proxy without TRUST_PROXY: all its clients have its address, and share that address's limits. */
export function warnOfProxy(fastify: FastifyInstance, logger: Logger): void {
  let hasWarned = false;
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (!hasWarned && request.headers['x-forwarded-for'] !== undefined) {
      hasWarned = true;
      logger.warn(
        'a request has X-Forwarded-For: set TRUST_PROXY if the service is behind a proxy, else TRUST_PROXY=false',
      );
    }
    done();
  });
}
