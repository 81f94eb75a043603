import {
  applyDecorators,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { map } from 'rxjs';
import { ETAG_HEADER, sayVersion } from '../../guias/guia-answer.interceptor.js';
import { GuiaDeOperacionesRespuestaDto, toGuiaDeOperaciones } from './guia-de-operaciones.dto.js';
import type { OperatorGuiaRow } from './operator-guias.queries.js';

/** Answers with the guide that the handler returns, and its `ETag`. */
export const AnswersGuiaDeOperaciones = (description: string): MethodDecorator =>
  applyDecorators(
    UseInterceptors(OperatorGuiaAnswerInterceptor),
    ApiResponse({ status: 200, type: GuiaDeOperacionesRespuestaDto, description, headers: ETAG_HEADER }),
  );

class OperatorGuiaAnswerInterceptor implements NestInterceptor<
  OperatorGuiaRow,
  GuiaDeOperacionesRespuestaDto
> {
  intercept(
    context: ExecutionContext,
    next: CallHandler<OperatorGuiaRow>,
  ): ReturnType<CallHandler<GuiaDeOperacionesRespuestaDto>['handle']> {
    return next.handle().pipe(
      map((guia) => {
        sayVersion(context, guia);
        return { ok: true, guia: toGuiaDeOperaciones(guia) };
      }),
    );
  }
}
