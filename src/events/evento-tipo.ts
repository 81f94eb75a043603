/** Everything that is recorded about a guide. */
export const EVENTO_TIPOS = ['guia.creada'] as const;

export type EventoTipo = (typeof EVENTO_TIPOS)[number];
