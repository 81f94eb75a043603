import type { Comercio } from '../auth/merchants/comercio.entity.js';
import { MerchantsService } from '../auth/merchants/merchants.service.js';
import { UsageError, type CommandContext } from './run-command.js';

/** The merchant that a command names. @throws UsageError */
export async function findMerchantById(get: CommandContext['get'], id: string): Promise<Comercio> {
  const found = await get(MerchantsService).find(id);
  if (!found) throw new UsageError(`${id}: no merchant has this merchant_id; see: merchants list`);
  return found;
}

/** The merchant that `--merchant` names. @throws UsageError */
export async function findMerchant(get: CommandContext['get'], id: string): Promise<Comercio> {
  const found = await get(MerchantsService).find(id);
  if (!found) throw new UsageError(`--merchant: no merchant has the id ${id}; see: merchants list`);
  return found;
}

export const merchantJson = ({
  id,
  nombre,
  pais,
  moneda,
  telefono_contacto,
  correo,
  con_pin,
  cerrado_en,
}: Comercio) => ({
  merchant_id: id,
  name: nombre,
  country: pais,
  currency: moneda,
  ...(telefono_contacto !== null && { contact_phone: telefono_contacto }),
  ...(correo !== null && { email: correo }),
  ...(con_pin && { delivery_pin: true }),
  ...(cerrado_en !== null && { closed_at: cerrado_en.toISOString() }),
});
