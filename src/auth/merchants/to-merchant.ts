import type { Merchant } from './merchant.js';
import type { Comercio } from './comercio.entity.js';

type MerchantColumns = Pick<Comercio, 'id' | 'nombre' | 'pais' | 'moneda' | 'prueba_de'>;

/** A merchant as the services for its own requests take it, for staff who act as the merchant would. */
export function toMerchant({ id, nombre, pais, moneda, prueba_de }: MerchantColumns): Merchant {
  return { id, name: nombre, country: pais, currency: moneda, isTest: prueba_de !== null };
}
