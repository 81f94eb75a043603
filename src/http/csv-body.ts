import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.js';

/**
 * Passes `text/csv` as bytes to the few routes that take it: they detect the encoding in the file, because headers are
 * often wrong.
 */
export function registerCsvBody(fastify: FastifyInstance): void {
  fastify.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    done(request.routeOptions.config.takesCsv ? null : new AppError('tipo_no_soportado'), body);
  });
}
