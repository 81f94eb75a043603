/** What a merchant's key may do; it has all of them unless it was made with fewer. */
export const MERCHANT_SCOPES = ['guias:leer', 'guias:escribir', 'webhooks'] as const;

/** What an operator's key may do, which belongs to no merchant. */
export const OPERATOR_SCOPES = ['operaciones'] as const;

export type Scope = (typeof MERCHANT_SCOPES)[number] | (typeof OPERATOR_SCOPES)[number];
