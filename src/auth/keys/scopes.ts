/** Scopes of a merchant's key; by default it has all of them. */
export const MERCHANT_SCOPES = ['guias:leer', 'guias:escribir', 'webhooks'] as const;

/** Scopes of an operator's key, which belongs to no merchant. */
export const OPERATOR_SCOPES = ['operaciones'] as const;

export type Scope = (typeof MERCHANT_SCOPES)[number] | (typeof OPERATOR_SCOPES)[number];
