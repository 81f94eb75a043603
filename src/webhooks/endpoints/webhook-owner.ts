import type { Merchant } from '../../auth/merchants/merchant.js';
import type { Operator } from '../../auth/operators/operator.js';

/** Whose endpoint it is: a merchant's, for its own guides, or an operator's, for the real guides of all merchants. */
export type WebhookOwner = Merchant | Operator;

/** The column that says whose an endpoint is. */
export function ownedBy(owner: WebhookOwner): { comercio_id: string } | { operador_id: string } {
  return isMerchant(owner) ? { comercio_id: owner.id } : { operador_id: owner.id };
}

export function isMerchant(owner: WebhookOwner): owner is Merchant {
  return 'country' in owner;
}
