import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.js';

/** Passes `text/csv` as bytes to the few routes that take it: the encoding is told by the file, not the header. */
export function registerCsvBody(fastify: FastifyInstance): void {
  fastify.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (request.routeOptions.config.takesCsv) return done(null, body);
    done(body.length === 0 ? null : new AppError('tipo_no_soportado'));
  });
}
