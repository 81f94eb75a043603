import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map } from 'rxjs';

const DIFFERING = 'Guias-Campos-Distintos';

/** What a service did, or had done before for the same request. */
export interface Repeatable {
  isDuplicate: boolean;
  /** Fields in which the repeat differs from the first request. */
  differing?: string[];
}

/** Documents the header that names the fields in which a repeat differs. */
export const differingHeader = (description: string) => ({
  [DIFFERING]: { description, schema: { type: 'string' as const } },
});

/** Answers a repeat with 200 and the fields in which it differs. */
export class RepeatInterceptor<T extends Repeatable> implements NestInterceptor<T, object> {
  /**
   * @param toAnswer makes the body.
   * @param headersOf further headers.
   */
  constructor(
    private readonly toAnswer: (outcome: T) => object,
    private readonly headersOf: (outcome: T) => Record<string, string> = () => ({}),
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<T>): ReturnType<CallHandler<object>['handle']> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((outcome) => {
        const { isDuplicate, differing = [] } = outcome;
        if (isDuplicate) void reply.status(200);
        if (differing.length > 0) void reply.header(DIFFERING, differing.join(', '));
        void reply.headers(this.headersOf(outcome));
        return this.toAnswer(outcome);
      }),
    );
  }
}
