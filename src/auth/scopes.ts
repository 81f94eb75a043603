/** What a key may do. A merchant's key has both unless it was made read-only. */
export const SCOPES = ['guias:leer', 'guias:escribir'] as const;

export type Scope = (typeof SCOPES)[number];
