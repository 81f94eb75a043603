import { Readable } from 'node:stream';
import { createParamDecorator, StreamableFile, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Whether the request's `Accept` names `text/csv`. */
export const AcceptsCsv = createParamDecorator((_: unknown, context: ExecutionContext) =>
  /\btext\/csv\b/i.test(context.switchToHttp().getRequest<FastifyRequest>().headers.accept ?? ''),
);

/** Streams a CSV file with backpressure: it is produced at the speed at which the caller reads. */
export function csvFile(name: string, parts: AsyncIterable<string>): StreamableFile {
  return new StreamableFile(Readable.from(parts, { objectMode: false }), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${name}.csv"`,
  });
}

/** The OpenAPI headers of such an answer. */
export const CSV_HEADERS = {
  'Content-Disposition': {
    description: 'Nombre del archivo; solo en CSV.',
    schema: { type: 'string' as const },
    example: 'attachment; filename="cobros.csv"',
  },
};

/** The OpenAPI `content` of a list that is JSON or CSV. */
export const csvContent = (schema: { $ref: string }) => ({
  'application/json': { schema },
  'text/csv': {
    schema: { type: 'string' as const },
    example:
      'guia,id,external_ref,cod_amount,cod_cobrado,moneda,estado,cobrado_en,liquidacion\r\n483920175567,01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57,pedido-1042,349.50,349.50,GTQ,cobrado,2026-11-21T15:04:05.123Z,\r\n',
  },
});
