import type { Merchant } from '../../auth/decorators.js';
import type { MerchantOfGuia } from './merchants.queries.js';

/** A merchant as the services for its own requests take it: support acts as the merchant would. */
export function toMerchant({ id, nombre, pais, moneda, prueba_de }: MerchantOfGuia): Merchant {
  return { id, name: nombre, country: pais, currency: moneda, isTest: prueba_de !== null };
}
