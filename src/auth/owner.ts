import type { Merchant } from './merchants/merchant.js';
import type { Operator } from './operators/operator.js';

/** Whose a resource is, or who asks for it: a merchant, of its own guides, or an operator, of those of all merchants. */
export type Owner = Merchant | Operator;

export function isMerchant<M extends Pick<Merchant, 'currency'>>(owner: M | Operator): owner is M {
  return 'currency' in owner;
}
