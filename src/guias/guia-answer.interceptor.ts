import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { map } from 'rxjs';
import { etagOf } from './changes/guia-version.js';
import { GuiaRespuestaDto, toGuiaRespuesta } from './dto/guia.dto.js';
import type { GuiaDetalleRow } from './guia-row.js';
import { TrackingLinksService } from './tracking/tracking-links.service.js';

/** Answers with the guide that the handler returns, and its `ETag`. */
export const AnswersGuia = (description: string): MethodDecorator =>
  applyDecorators(
    UseInterceptors(GuiaAnswerInterceptor),
    ApiResponse({
      status: 200,
      type: GuiaRespuestaDto,
      description,
      headers: {
        ETag: {
          description: 'Versión de la guía, para `If-Match`.',
          schema: { type: 'string' },
          example: '"1"',
        },
      },
    }),
  );

/** Turns a guide into the answer to its merchant. */
@Injectable()
export class GuiaAnswerInterceptor implements NestInterceptor<GuiaDetalleRow, GuiaRespuestaDto> {
  constructor(private readonly tracking: TrackingLinksService) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler<GuiaDetalleRow>,
  ): ReturnType<CallHandler<GuiaRespuestaDto>['handle']> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((guia) => {
        void reply.header('ETag', etagOf(guia.version));
        return toGuiaRespuesta(guia, this.tracking.linkTo(guia));
      }),
    );
  }
}
