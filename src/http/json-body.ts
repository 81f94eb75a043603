import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.js';

/** The parsed form of a body of no bytes. */
export const EMPTY_BODY = Symbol('empty JSON body');

/** A batch has three levels; deeper nesting could only exhaust the stack. */
const MAX_DEPTH = 8;

/**
 * Parses JSON in UTF-8 and nothing else. Fastify would silently replace invalid bytes, and two different
 * references could become one.
 */
export function registerJsonBody(fastify: FastifyInstance): void {
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeContentTypeParser(['application/json', 'text/plain']);
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (request.routeOptions.config.takesRawJson) return done(null, body);
    // Some clients send a JSON content type without a body; the route decides whether it needs one.
    if (body.length === 0) return done(null, EMPTY_BODY);
    if (!isUtf8(body)) return done(new AppError('json_invalido'));
    void parseJson(request, body.toString(), (error, parsed: unknown) => {
      if (error) return done(new AppError('json_invalido', { cause: error }));
      if (isDeeperThan(parsed, MAX_DEPTH))
        return done(
          new AppError('json_invalido', { detail: `El JSON puede tener hasta ${MAX_DEPTH} niveles.` }),
        );
      done(null, parsed);
    });
  });
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
