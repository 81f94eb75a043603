import type { NewEvento } from '../../platform/events/record-eventos.js';

/** An event of a change; an id is made where none is given. */
export type GuiaEvento = Omit<NewEvento, 'id' | 'secuencia'> & {
  id?: string;
};

/** An operator or a driver; `operador_id` is the id of either. */
export interface Courier {
  actor: 'operador' | 'piloto';
  operador_id: string;
}

/** Somebody of support, whose name is shown to support alone. */
export interface Staff {
  actor: 'soporte';
  usuario: string;
}

export type Author =
  { actor: 'sistema' } | { actor: 'comercio' } | { actor: 'destinatario' } | Courier | Staff;

export function by(author: Author, evento: Omit<GuiaEvento, 'actor' | 'operador_id'>): GuiaEvento {
  return {
    ...evento,
    actor: author.actor,
    ...('operador_id' in author && { operador_id: author.operador_id }),
    datos: { ...evento.datos, ...('usuario' in author && { usuario: author.usuario }) },
  };
}
