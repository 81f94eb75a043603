import type { EventoTipo } from '../events/evento-tipo.js';

/** The types of events that change a guide's state. */
export const MOVE_TIPOS = [
  'guia.estado_cambiado',
  'guia.cancelada',
  'guia.estado_corregido',
] as const satisfies EventoTipo[];

/**
 * The moves of a guide that were not taken back: each correction takes back the last one that still stands.
 * @param eventos events of `MOVE_TIPOS`, in order; others stand as they are.
 */
export function standingMoves<E extends { tipo: EventoTipo }>(eventos: readonly E[]): E[] {
  const standing: E[] = [];
  for (const evento of eventos)
    if (evento.tipo === 'guia.estado_corregido') standing.pop();
    else standing.push(evento);
  return standing;
}
