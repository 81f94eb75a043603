import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map } from 'rxjs';
import { etagOf } from './changes/guia-version.js';
import { GuiaRespuestaDto, toGuiaRespuesta } from './dto/guia.dto.js';
import type { GuiaAdvertencia } from './guia/guia-advertencia.js';
import type { GuiaDelComercioRow, GuiaDetalleRow } from './guia/guia-row.js';
import { TrackingLinksService } from './tracking/tracking-links.service.js';

/** Told with the answer to an edit, as it may be the edit's own. */
const TO_REVIEW: GuiaAdvertencia = 'destino_por_revisar';

/** Documents the headers of an answer with a guide. */
export const ETAG_HEADER = {
  ETag: {
    description: 'Versión de la guía, para `If-Match`.',
    schema: { type: 'string' as const },
    example: '"1"',
  },
  'Guias-Advertencia': {
    description: 'Solo al cambiarla, y si la guía tiene esta advertencia.',
    schema: { type: 'string' as const, enum: [TO_REVIEW] },
  },
};

/** Answers with the guide that the handler returns, and its `ETag`. */
export const AnswersGuia = (description: string): MethodDecorator =>
  applyDecorators(
    UseInterceptors(GuiaAnswerInterceptor),
    ApiResponse({
      status: 200,
      type: GuiaRespuestaDto,
      description,
      headers: ETAG_HEADER,
    }),
  );

@Injectable()
class GuiaAnswerInterceptor implements NestInterceptor<GuiaDelComercioRow, GuiaRespuestaDto> {
  constructor(private readonly tracking: TrackingLinksService) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler<GuiaDelComercioRow>,
  ): ReturnType<CallHandler<GuiaRespuestaDto>['handle']> {
    return next.handle().pipe(
      map((guia) => {
        sayVersion(context, guia);
        const { merchant } = context.switchToHttp().getRequest<FastifyRequest>().credential!;
        return toGuiaRespuesta(guia, merchant!.country, this.tracking.linkTo(guia));
      }),
    );
  }
}

/** Sets the headers of an answer with a guide. */
export function sayVersion(context: ExecutionContext, { version, advertencias }: GuiaDetalleRow): void {
  const http = context.switchToHttp();
  const reply = http.getResponse<FastifyReply>();
  void reply.header('ETag', etagOf(version));
  const isEdit = http.getRequest<FastifyRequest>().method === 'PATCH';
  if (isEdit && advertencias.includes(TO_REVIEW)) void reply.header('Guias-Advertencia', TO_REVIEW);
}
