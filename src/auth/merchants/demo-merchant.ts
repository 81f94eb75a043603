import type { CountryCode } from 'libphonenumber-js';
import { keepSecret, replaceSecret } from '../../config/data-dir.js';
import { generateApiKey, identifierOf } from '../keys/api-key.js';
import { ApiKeysService } from '../keys/api-keys.service.js';
import { MerchantsService } from './merchants.service.js';

const FILE = 'demo-key';

/**
 * The API key of a merchant to try the service with, made on the first start in embedded mode and kept in
 * DATA_DIR. The file is written before the database, so a start that was cut short is completed by the
 * next. Undefined when an operator revoked it.
 */
export async function ensureDemoKey(
  dataDir: string,
  country: CountryCode,
  merchants: MerchantsService,
  keys: ApiKeysService,
): Promise<string | undefined> {
  const kept = keepSecret(dataDir, FILE, generateApiKey);
  const row = await keys.findByIdentifier(identifierOf(kept) ?? '');
  if (row?.revocada_en) return undefined;
  if (row && (await keys.authenticate(kept))) return kept;
  // Either never stored, or stored under another APP_SECRET.
  const apiKey = row ? generateApiKey() : kept;
  if (row) replaceSecret(dataDir, FILE, apiKey);
  const merchantId = row?.comercio_id ?? (await merchants.create('Comercio de demostración', country)).id;
  await keys.create(merchantId, { label: 'demostración', apiKey });
  return apiKey;
}
