import type { FastifyReply } from 'fastify';
import { etagOf } from './changes/guia-version.js';
import { toGuiaRespuesta, type GuiaRespuestaDto } from './dto/guia.dto.js';
import type { GuiaDetalleRow } from './guia-row.js';
import type { TrackingLinksService } from './tracking/tracking-links.service.js';

/** The header of every response with one guide. */
export const ETAG_HEADER = {
  ETag: {
    description: 'Versión de la guía, para `If-Match`.',
    schema: { type: 'string' as const },
    example: '"1"',
  },
};

/** Sends a guide to its merchant, with its ETag. */
export function sendGuia(
  reply: FastifyReply,
  guia: GuiaDetalleRow,
  tracking: TrackingLinksService,
): GuiaRespuestaDto {
  void reply.header('ETag', etagOf(guia.version));
  return toGuiaRespuesta(guia, tracking.linkTo(guia));
}
