import type { Merchant } from '../auth/merchants/merchant.js';
import { isMerchant } from '../auth/owner.js';
import type { Operator } from '../auth/operators/operator.js';
import { raw, sql, type Sql } from '../platform/database/sql.js';

/** Of a merchant what its amounts need, or an operator. */
export type MoneyOwner = Pick<Merchant, 'id' | 'currency'> | Operator;

export interface MerchantFilter {
  /** Test twins, instead of real merchants. */
  isTest: boolean;
  /** The public id of one; of a test twin, its merchant's. */
  comercio?: string | undefined;
}

/** Whose rows a list has: a merchant's, by its internal id, or those of the merchants that an operator asks for. */
export type Whose = { comercioId: string } | MerchantFilter;

/** @param comercio of which merchant an operator asks. */
export function whoseOf(owner: MoneyOwner, comercio?: string): Whose {
  return isMerchant(owner) ? { comercioId: owner.id } : { isTest: owner.isTest, comercio };
}

/** SQL condition of the merchant `c`. */
export const isAmong = ({ isTest, comercio }: MerchantFilter): Sql =>
  sql`(c.prueba_de is not null) = ${isTest}
    and (${comercio}::uuid is null or coalesce(c.prueba_de, c.id) = ${comercio}::uuid)`;

/** SQL of the internal id of the one merchant that an operator asks for: an index of its rows serves. */
export const idAmong = ({ isTest, comercio }: MerchantFilter): Sql =>
  sql`(select id from comercios where ${raw(isTest ? 'prueba_de' : 'prueba_de is null and id')} = ${comercio}::uuid)`;
