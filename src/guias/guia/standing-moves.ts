import type { EventoTipo } from '../../platform/events/evento-tipo.js';
import type { GuiaEstado } from './guia-estado.js';

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

/** SQL condition: the move `e` was not taken back. */
export const STANDS = `not exists (select from eventos u where u.comercio_id = e.comercio_id and u.guia_id = e.guia_id
    and u.tipo = 'guia.estado_corregido' and (u.datos->>'deshecho')::int = e.secuencia)`;

export const isMove = ({ tipo }: { tipo: EventoTipo }): boolean =>
  (MOVE_TIPOS as readonly EventoTipo[]).includes(tipo);

/** The move that brought a guide to its state; undefined for a new guide. @param eventos of all types, in order. */
export function moveTo<E extends { tipo: EventoTipo; estado: GuiaEstado | null }>(
  eventos: readonly E[],
  { estado }: { estado: GuiaEstado },
): E | undefined {
  return standingMoves(eventos.filter(isMove)).findLast((move) => move.estado === estado);
}
