import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.js';

/** Routes that take a file. */
const CSV_ROUTES = ['/api/v1/guias/lote'];

/**
 * Leaves `text/csv` to the few routes that take it as bytes: the encoding is found in the file, because headers are often
 * wrong.
 */
export function registerCsvBody(fastify: FastifyInstance): void {
  fastify.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const isTaken = CSV_ROUTES.includes(request.routeOptions.url ?? '');
    done(isTaken ? null : new AppError('tipo_no_soportado'), body);
  });
}
