import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map } from 'rxjs';

const DIFFERING = 'Guias-Campos-Distintos';

/** Result of a request, made now or before. */
export interface Repeatable {
  isDuplicate: boolean;
  /** Fields in which the repeat differs from the first request. */
  differing?: string[];
}

/** Documents the header that names the fields in which a repeat differs. */
export const differingHeader = (description: string) => ({
  [DIFFERING]: { description, schema: { type: 'string' as const } },
});

/** The names of the fields that differ. */
export function differingNames(fields: Record<string, boolean>): string[] {
  return Object.keys(fields).filter((field) => fields[field]);
}

/** Answers a repeat with 200 and the fields in which it differs. */
export class RepeatInterceptor<T extends Repeatable> implements NestInterceptor<T, object> {
  /** @param toAnswer makes the body. */
  constructor(private readonly toAnswer: (outcome: T) => object) {}

  intercept(context: ExecutionContext, next: CallHandler<T>): ReturnType<CallHandler<object>['handle']> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((outcome) => {
        sayIfRepeated(reply, outcome);
        return this.toAnswer(outcome);
      }),
    );
  }
}

/** Sets status and header of a repeat. */
export function sayIfRepeated(reply: FastifyReply, { isDuplicate, differing = [] }: Repeatable): void {
  if (isDuplicate) void reply.status(200);
  if (differing.length > 0) void reply.header(DIFFERING, differing.join(', '));
}
