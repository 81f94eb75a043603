import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.js';

/** Routes that take a file. */
const CSV_ROUTES = ['/api/v1/guias/lote'];

/** Leaves `text/csv` as bytes to the few routes that take it: a file says itself, and not reliably, how it is encoded. */
export function registerCsvBody(fastify: FastifyInstance): void {
  fastify.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const isTaken = CSV_ROUTES.includes(request.routeOptions.url ?? '');
    done(isTaken ? null : new AppError('tipo_no_soportado'), body);
  });
}
