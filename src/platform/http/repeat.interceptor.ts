import {
  applyDecorators,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { map } from 'rxjs';

const DIFFERING = 'Guias-Campos-Distintos';

export interface Repeatable {
  isDuplicate: boolean;
  /** Fields in which the repeat differs from the first request. */
  differing?: string[];
}

/** Made by this request, or by an earlier one under the same `ref`. */
export type Made<T> = T & Required<Repeatable>;

/** The names of the fields that differ. */
export function differingNames(fields: Record<string, boolean>): string[] {
  return Object.keys(fields).filter((field) => fields[field]);
}

/** The name of the field that marks a repeat, in the gender of what was made. */
type Mark = 'duplicado' | 'duplicada';

/** The answer: what was made, and the mark only in a repeat. */
export function toAnswer<T extends Repeatable, M extends Mark = 'duplicado'>(
  { isDuplicate, differing: _, ...made }: T,
  mark = 'duplicado' as M,
): { ok: true } & Omit<T, keyof Repeatable> & { [mark in M]?: true } {
  return { ok: true, ...made, ...(isDuplicate && { [mark]: true }) } as ReturnType<typeof toAnswer<T, M>>;
}

/** Documents the header that names the fields in which a repeat differs. */
export const differingHeader = (description: string) => ({
  [DIFFERING]: { description, schema: { type: 'string' as const } },
});

interface RepeatDocs {
  /** Answer to the first request, with 201; absent: it gets 200, too. */
  made?: string;
  /** Answer to a repeat. */
  repeated: string;
  /** Ends the sentence that lists the differing fields of a repeat; absent: no field may differ. */
  from?: string;
  mark?: Mark;
}

/** Answers with what the handler made or found, in 201 or 200, and documents both. */
export const AnswersOnce = (type: Type, { made, repeated, from, mark }: RepeatDocs): MethodDecorator =>
  applyDecorators(
    UseInterceptors(new RepeatInterceptor(mark)),
    ...(made === undefined ? [] : [ApiResponse({ status: 201, type, description: made })]),
    ApiResponse({
      status: 200,
      type,
      description: repeated,
      ...(from !== undefined && {
        headers: differingHeader(
          `Campos de la repetición que difieren ${from}. Falta si no difiere ninguno.`,
        ),
      }),
    }),
  );

/** Answers a repeat with 200 and the fields in which it differs. */
class RepeatInterceptor<T extends Repeatable> implements NestInterceptor<T, object> {
  constructor(private readonly mark: Mark | undefined) {}

  intercept(context: ExecutionContext, next: CallHandler<T>): ReturnType<CallHandler<object>['handle']> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((outcome) => {
        sayIfRepeated(reply, outcome);
        return toAnswer(outcome, this.mark);
      }),
    );
  }
}

export function sayIfRepeated(reply: FastifyReply, { isDuplicate, differing = [] }: Repeatable): void {
  if (isDuplicate) void reply.status(200);
  if (differing.length > 0) void reply.header(DIFFERING, differing.join(', '));
}
