import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map } from 'rxjs';

/** A page, or a file of it. */
export class PageAnswer<T extends string | Buffer = string | Buffer> {
  constructor(
    readonly body: T,
    readonly headers: Record<string, string>,
    readonly status = 200,
  ) {}
}

/** Sends a `PageAnswer` with its status and headers; every other answer as it is. */
export class PageAnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((answer: unknown) => {
        if (!(answer instanceof PageAnswer)) return answer;
        const { body, headers, status } = answer as PageAnswer;
        void reply.status(status).headers(headers);
        return body;
      }),
    );
  }
}
