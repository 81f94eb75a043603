import { join } from 'node:path';
import type { CountryCode } from 'libphonenumber-js';
import { keepSecret, replaceSecret } from '../platform/config/data-dir.js';
import { AppError } from '../platform/errors/app-error.js';
import { StartupError } from '../platform/errors/startup-error.js';
import { generateApiKey, identifierOf, type KeyMode } from './keys/api-key.js';
import type { ApiKeysService } from './keys/api-keys.service.js';
import type { AuthenticationService } from './keys/authentication.service.js';
import type { MerchantsService } from './merchants/merchants.service.js';

export const DEMO_MERCHANT = 'Comercio de demostración';

/** Names in DATA_DIR. */
const FILES: Record<KeyMode, string> = { live: 'demo-key', test: 'demo-test-key' };

/** The keys of the demo merchant; one that was revoked, or cannot be made because the merchant is closed, is undefined. */
export type DemoKeys = Record<KeyMode, string | undefined>;

interface Services {
  merchants: MerchantsService;
  keys: ApiKeysService;
  authentication: AuthenticationService;
}

interface DemoKey {
  apiKey: string | undefined;
  /** Its owner: the demo merchant or its test twin. */
  merchantId: string;
}

/**
 * The API keys of a demo merchant, created on the first start in embedded mode and stored in DATA_DIR. A file is written
 * before the database, so the next start completes an interrupted one.
 * @throws StartupError when a file holds something else.
 */
export async function ensureDemoKeys(
  dataDir: string,
  country: CountryCode,
  services: Services,
): Promise<DemoKeys> {
  const { merchants } = services;
  const live = await ensureKey(
    dataDir,
    'live',
    services,
    async () => (await merchants.create(DEMO_MERCHANT, country)).id,
  );
  const test = await ensureKey(dataDir, 'test', services, async () => {
    const merchant = await merchants.find(live.merchantId);
    return (await merchants.testTwinOf(merchant!)).id;
  });
  return { live: live.apiKey, test: test.apiKey };
}

/** @param ownerOf makes the owner of a new key. */
async function ensureKey(
  dataDir: string,
  mode: KeyMode,
  { keys, authentication }: Services,
  ownerOf: () => Promise<string>,
): Promise<DemoKey> {
  const make = () => generateApiKey(mode);
  const stored = keepSecret(dataDir, FILES[mode], make);
  const identifier = identifierOf(stored);
  if (identifier === undefined) throw damaged(join(dataDir, FILES[mode]));
  const row = await keys.findByIdentifier(identifier);
  if (row?.revocada_en) return { apiKey: undefined, merchantId: row.comercio_id! };
  if (row && (await authentication.authenticate(stored)))
    return { apiKey: stored, merchantId: row.comercio_id! };
  // The key is not in the database, or was hashed with another APP_SECRET.
  const apiKey = row ? make() : stored;
  if (row) replaceSecret(dataDir, FILES[mode], apiKey);
  const merchantId = row?.comercio_id ?? (await ownerOf());
  try {
    await keys.create({ comercio_id: merchantId }, { label: 'demostración', apiKey });
  } catch (error) {
    if (!(error instanceof AppError) || error.codigo !== 'comercio_cerrado') throw error;
    return { apiKey: undefined, merchantId };
  }
  return { apiKey, merchantId };
}

function damaged(file: string): StartupError {
  return new StartupError(
    `DATA_DIR: ${file} holds no API key; put its content back, or delete it to have a new one`,
  );
}
