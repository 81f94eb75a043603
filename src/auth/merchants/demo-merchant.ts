import type { CountryCode } from 'libphonenumber-js';
import { keepSecret, replaceSecret } from '../../config/data-dir.js';
import { generateApiKey, identifierOf } from '../keys/api-key.js';
import { ApiKeysService } from '../keys/api-keys.service.js';
import { MerchantsService } from './merchants.service.js';

const FILE = 'demo-key';

/**
 * The API key of a demo merchant, created on the first start in embedded mode and stored in DATA_DIR. The
 * file is written before the database, so the next start completes an interrupted one. Undefined if revoked.
 */
export async function ensureDemoKey(
  dataDir: string,
  country: CountryCode,
  merchants: MerchantsService,
  keys: ApiKeysService,
): Promise<string | undefined> {
  const stored = keepSecret(dataDir, FILE, generateApiKey);
  const row = await keys.findByIdentifier(identifierOf(stored) ?? '');
  if (row?.revocada_en) return undefined;
  if (row && (await keys.authenticate(stored))) return stored;
  // The key is not in the database, or was hashed with another APP_SECRET.
  const apiKey = row ? generateApiKey() : stored;
  if (row) replaceSecret(dataDir, FILE, apiKey);
  const merchantId = row?.comercio_id ?? (await merchants.create('Comercio de demostración', country)).id;
  await keys.create(merchantId, { label: 'demostración', apiKey });
  return apiKey;
}
