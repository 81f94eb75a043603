import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { readCsv } from './csv-rows.js';
import { checkCharset } from './csv-text.js';
import { CrearLoteDto, MAX_FILAS } from './lote.dto.js';

@Injectable()
export class CsvBodyInterceptor implements NestInterceptor {
  /** @throws AppError `csv_invalido` or `validacion` for a file that is refused as a whole. */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<ReturnType<CallHandler['handle']>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (Buffer.isBuffer(request.body)) {
      checkCharset(request.headers['content-type']);
      const { rows } = await readCsv(request.body, MAX_FILAS);
      request.body = Object.assign(new CrearLoteDto(), { filas: rows });
    }
    return next.handle();
  }
}
