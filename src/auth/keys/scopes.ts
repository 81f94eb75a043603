/** Scopes of a merchant's key; by default it has all of them. The last makes and ends keys on the panel. */
export const MERCHANT_SCOPES = ['guias:leer', 'guias:escribir', 'webhooks', 'claves'] as const;

/** Scopes of an operator's key, which belongs to no merchant; by default it has the first, which includes the second. */
export const OPERATOR_SCOPES = ['operaciones', 'operaciones:leer'] as const;

export type Scope = (typeof MERCHANT_SCOPES)[number] | (typeof OPERATOR_SCOPES)[number];

/** Whether what needs this scope only reads, also where it is a POST. */
export const isReadScope = (scope: string): boolean => scope.endsWith(':leer');

/** Whether a key with these scopes may do what needs `scope`. */
export function includesScope(scopes: readonly Scope[], scope: Scope): boolean {
  return scopes.includes(scope) || (scope === 'operaciones:leer' && scopes.includes('operaciones'));
}
