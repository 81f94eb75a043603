import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.js';

/** Whether a request has a body, or the start of one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * An empty body has no type. PHP's curl, wget and .NET name one although they send nothing. Other bodies of a type without
 * a parser are refused. Call it before any route is registered.
 */
export function ignoreTypesOfEmptyBodies(fastify: FastifyInstance): void {
  fastify.addHook('preParsing', ({ raw }, _reply, _payload, done) => {
    const [type] = raw.headers['content-type']?.split(';') ?? [];
    // The other parsers decide on their own; a malformed type reaches none.
    if (type !== undefined && !hasBody(raw) && !fastify.hasContentTypeParser(type))
      delete raw.headers['content-type'];
    done(null);
  });
  // A chunked body may turn out to be empty.
  fastify.addContentTypeParser('*', async (_request: unknown, body: IncomingMessage) => {
    const hasData = await Promise.race([
      once(body, 'data').then(() => true),
      once(body, 'end').then(() => false),
    ]);
    if (hasData) throw new AppError('tipo_no_soportado');
  });
}
