import { fingerprint, generateApiKey, identifierOf } from '../../src/auth/keys/api-key.js';
import { MERCHANT_SCOPES, OPERATOR_SCOPES } from '../../src/auth/keys/scopes.js';
import { Secrets } from '../../src/platform/config/secrets.js';
import { newRowId } from '../../src/platform/database/row-id.js';
import type { TestDatabase } from './database.js';
import { APP_SECRET } from './guia-body.js';

/**
 * Inserts a merchant with a key for a service whose APP_SECRET is that of the tests.
 * Inserted directly: an operator command, or the service's source in Jest, takes seconds to load.
 * @returns the key.
 */
export async function insertMerchant(database: TestDatabase): Promise<string> {
  const merchantId = newRowId();
  await database.query(`insert into comercios (id, nombre, pais) values ($1, 'Tienda', 'GT')`, [merchantId]);
  return insertKey(database, 'comercio_id', merchantId, MERCHANT_SCOPES);
}

/** The same for an operator. */
export async function insertOperator(database: TestDatabase): Promise<string> {
  const operatorId = newRowId();
  await database.query(`insert into operadores (id, nombre) values ($1, 'Mensajería')`, [operatorId]);
  return insertKey(database, 'operador_id', operatorId, OPERATOR_SCOPES);
}

async function insertKey(
  database: TestDatabase,
  owner: 'comercio_id' | 'operador_id',
  id: string,
  scopes: readonly string[],
): Promise<string> {
  const key = generateApiKey();
  const hash = fingerprint(key, new Secrets(APP_SECRET).apiKeyPepper);
  await database.query(
    `insert into claves_api (id, ${owner}, identificador, huella, alcances) values ($1, $2, $3, $4, $5)`,
    [newRowId(), id, identifierOf(key), hash, scopes],
  );
  return key;
}
