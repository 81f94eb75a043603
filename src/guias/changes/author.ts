import type { GuiaEvento } from './guia-transaction.js';

/** Who changes a guide; the name of somebody of support is shown to support alone. */
export type Author =
  | { actor: 'sistema' }
  | { actor: 'comercio' }
  | { actor: 'destinatario' }
  | { actor: 'operador'; operador_id: string }
  | { actor: 'soporte'; usuario: string };

/** An event with its author. */
export function by(author: Author, evento: Omit<GuiaEvento, 'actor' | 'operador_id'>): GuiaEvento {
  return {
    ...evento,
    actor: author.actor,
    ...('operador_id' in author && { operador_id: author.operador_id }),
    datos: { ...evento.datos, ...('usuario' in author && { usuario: author.usuario }) },
  };
}
