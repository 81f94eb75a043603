import type { Comercio } from '../../auth/merchants/comercio.entity.js';
import type { Merchant } from '../../auth/decorators.js';

/** A merchant as the services for its own requests take it: support acts as the merchant would. */
export function toMerchant({
  id,
  nombre,
  pais,
  moneda,
  prueba_de,
}: Pick<Comercio, 'id' | 'nombre' | 'pais' | 'moneda' | 'prueba_de'>): Merchant {
  return { id, name: nombre, country: pais, currency: moneda, isTest: prueba_de !== null };
}
