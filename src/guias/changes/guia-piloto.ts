import { AppError } from '../../platform/errors/app-error.js';
import { FINAL_ESTADOS } from '../guia/guia-estado.js';
import { noSuchGuia } from '../guia/guia-lookup.js';
import type { CurrentGuia } from './guia-changes.queries.js';
import type { Assignment } from './guia-context.queries.js';
import { earlier } from './piloto-clock.js';

/** Hours for which a driver still has a guide that has ended. */
export const ENDED_H = 24;

/**
 * A guide is a driver's while it is assigned to them; who had it before may still report what happened.
 * @param said when the driver did something with it, ISO 8601; absent: now.
 * @returns whether the guide is not theirs any more.
 * @throws AppError `no_encontrado` for who never had it, and once their guide had ended more than `ENDED_H` before.
 */
export function isFormerOf(
  pilotoId: string,
  guia: CurrentGuia & Assignment,
  said: string | undefined,
): boolean {
  const { desde, ahora } = guia;
  const isFormer = guia.piloto_id !== pilotoId;
  if (isFormer ? desde === null : isLongEnded(guia, earlier(said ?? ahora, ahora))) throw noSuchGuia();
  return isFormer;
}

export function noSuchPiloto(): AppError {
  const mensaje = 'No hay un piloto con este id. Revíselo en `GET /api/v1/operaciones/pilotos`.';
  return AppError.validation([{ campo: 'piloto', codigo: 'formato', mensaje }]);
}

function isLongEnded({ estado, estado_en }: CurrentGuia, at: string): boolean {
  if (!FINAL_ESTADOS.includes(estado) || estado_en === null) return false;
  return Date.parse(at) - Date.parse(estado_en) > ENDED_H * 3_600_000;
}
