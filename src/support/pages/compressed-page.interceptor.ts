import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mergeMap } from 'rxjs';
import { compress, encodingOf } from '../../html/compression.js';

/** Characters of a page that fits into one packet; compressing it gains nothing. */
const SMALL = 1_400;

/** Sends a page compressed: lists of a hundred guides, and of all drivers, are large. */
export class CompressedPageInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    const http = context.switchToHttp();
    const encoding = encodingOf(http.getRequest<FastifyRequest>().headers['accept-encoding']);
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      mergeMap(async (page: unknown) => {
        if (typeof page !== 'string' || page.length < SMALL) return page;
        void reply.header('Vary', 'Accept-Encoding');
        if (encoding === undefined) return page;
        void reply.header('Content-Encoding', encoding);
        return compress(encoding, page);
      }),
    );
  }
}
