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

/** A page with another status than 200. */
export function pageAnswer(html: string, status = 200): PageAnswer<string> {
  return new PageAnswer(html, { 'Content-Type': 'text/html; charset=utf-8' }, status);
}

/** Leads to another page once a form is done. */
export function seeOther(path: string, headers: Record<string, string> = {}): PageAnswer<string> {
  return new PageAnswer('', { Location: path, ...headers }, 303);
}

/** Sends a `PageAnswer` with its status and headers, a text as a page, and every other answer as it is. */
export class PageAnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((given: unknown) => {
        const answer = typeof given === 'string' ? pageAnswer(given) : given;
        if (!(answer instanceof PageAnswer)) return answer;
        const { body, headers, status } = answer as PageAnswer;
        void reply.status(status).headers(headers);
        return body;
      }),
    );
  }
}
