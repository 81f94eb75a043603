import type { FastifyReply } from 'fastify';
import { toGuiaCreada, type GuiaCreadaDto, type GuiaDuplicadaDto } from '../dto/crear-guia.dto.js';
import type { Creation } from '../guias.service.js';
import { sayIfRepeated } from '../../platform/http/repeat.interceptor.js';

/**
 * Sets status and headers of a create's answer, and returns its body. Not an interceptor, as for other routes: RxJS would
 * take a tenth of a create's CPU (`docs/performance.md`).
 */
export function answerCreation(reply: FastifyReply, creation: Creation): GuiaCreadaDto | GuiaDuplicadaDto {
  const { guia, isDuplicate, advertencias } = creation;
  sayIfRepeated(reply, creation);
  if (!isDuplicate) void reply.header('Location', `/api/v1/guias/${guia.id}`);
  if (advertencias.length > 0) void reply.header('Guias-Advertencia', advertencias.join(', '));
  return toGuiaCreada(guia, isDuplicate);
}
