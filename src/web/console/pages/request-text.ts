import { ERRORS, type ErrorCode } from '../../../platform/errors/error-codes.js';
import type { AnsweredRequest } from '../../../auth/solicitudes/request-log.queries.js';

/** Method and path: `POST /api/v1/guias`. */
export const requestText = ({ metodo, ruta }: AnsweredRequest) => `${metodo} ${ruta ?? '(ruta desconocida)'}`;

export function answerText({ estado, codigo }: AnsweredRequest): string {
  if (codigo === null) return String(estado);
  return `${estado}: ${Object.hasOwn(ERRORS, codigo) ? ERRORS[codigo as ErrorCode].title : codigo}`;
}
