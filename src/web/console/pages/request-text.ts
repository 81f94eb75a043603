import { ERRORS, type ErrorCode } from '../../../platform/errors/error-codes.js';
import type { Solicitud } from '../../../auth/solicitudes/solicitud.entity.js';

/** Method and path: `POST /api/v1/guias`. */
export const requestText = ({ metodo, ruta }: Solicitud) => `${metodo} ${ruta ?? '(ruta desconocida)'}`;

export function answerText({ estado, codigo }: Solicitud): string {
  if (codigo === null) return String(estado);
  return `${estado}: ${Object.hasOwn(ERRORS, codigo) ? ERRORS[codigo as ErrorCode].title : codigo}`;
}
