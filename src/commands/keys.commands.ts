import type { Command } from 'commander';
import { prefixOf, type KeyMode } from '../auth/keys/api-key.js';
import {
  ApiKeysService,
  keyModeOf,
  type KeyOwner,
  type KeyWithMerchant,
  type NewKey,
} from '../auth/keys/api-keys.service.js';
import { endOf } from '../auth/keys/clave-api.entity.js';
import { MERCHANT_SCOPES, OPERATOR_SCOPES, type Scope } from '../auth/keys/scopes.js';
import type { Comercio } from '../auth/merchants/comercio.entity.js';
import { MerchantsService } from '../auth/merchants/merchants.service.js';
import { OperatorsService } from '../auth/operators/operators.service.js';
import { Database } from '../platform/database/database.js';
import { isUuid } from '../platform/database/row-id.js';
import { toSolicitud, type SolicitudDto } from '../auth/solicitudes/dto/solicitud.dto.js';
import { findRequestsOfKey } from '../auth/solicitudes/request-log.queries.js';
import type { Solicitud } from '../auth/solicitudes/solicitud.entity.js';
import { parseInstant } from '../platform/validation/instant.js';
import { findMerchant } from './find-merchant.js';
import {
  jsonCommand,
  oneLine,
  run,
  UsageError,
  type CommandContext,
  type JsonOption,
} from './run-command.js';

/** Requests of a leaked key that are listed, at most: the newest. */
const MAX_REQUESTS = 10_000;

/** ms. */
const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export function addKeyCommands(keys: Command): void {
  jsonCommand(keys.command('create').description('create an API key and show it once'))
    .option('--merchant <ID>', 'merchant_id: a key of that merchant')
    .option('--operator <NAME>', 'create a key of that operator, who moves the guides of all merchants')
    .option('--label <L>', 'what it is for')
    .option('--expires <ISO>', 'when it stops working, like 2027-01-31 or 2027-01-31T12:00:00Z')
    .option('--test', 'create a test key: its guides are kept apart from real ones and never delivered')
    .option(
      '--scopes <list>',
      `comma-separated (default: ${MERCHANT_SCOPES.join(',')}; of an operator: operaciones, or operaciones:leer to read only)`,
    )
    .action((options: CreateOptions) =>
      run(options, async ({ get }) => {
        const keyOptions = {
          label: options.label === undefined ? undefined : oneLine(options.label, '--label'),
          expiresAt: readExpiry(options.expires),
          scopes: readScopes(options),
        };
        const owner = await findOwner(options, get, (name) => get(OperatorsService).findOrCreate(name), true);
        const mode = options.test ? 'test' : 'live';
        const key = await get(ApiKeysService).create(owner, { ...keyOptions, mode });
        return { json: newKeyJson(key, mode), text: newKeyText(key) };
      }),
    );
  jsonCommand(keys.command('list').description('list the keys of a merchant or an operator, newest first'))
    .option('--merchant <ID>', 'merchant_id')
    .option('--operator <NAME>', 'name of the operator')
    .action((options: OwnerOption & JsonOption) =>
      run(options, async ({ get }) => {
        const owner = await findOwner(options, get, (name) => get(OperatorsService).find(name));
        const all = (await get(ApiKeysService).list(owner)).map(keyJson);
        return { json: { keys: all }, text: all.map(keyLine).join('\n') || 'no keys yet' };
      }),
    );
  jsonCommand(
    keys.command('revoke <KEY_ID>').description('end a key for good, within 5 s in every process'),
  ).action((keyId: string, options: JsonOption) =>
    run(options, async ({ get }) => {
      const key = await findKey(get(ApiKeysService), keyId);
      const revoked = await get(ApiKeysService).revoke(key.id);
      return {
        json: {
          key_id: key.id,
          prefix: prefixOf(key.identificador, keyModeOf(key)),
          revoked: revoked.toISOString(),
        },
        text: `${prefixOf(key.identificador, keyModeOf(key))} is revoked`,
      };
    }),
  );
  jsonCommand(
    keys.command('rotate <KEY_ID>').description('make a new key; the old one works until the overlap ends'),
  )
    .option('--overlap <time>', 'how long the old key still works, like 90s, 30m, 24h or 7d (default: 24h)')
    .option('--leaked', 'end the old key and its sessions at once, and list what it did in the last 30 days')
    .action((keyId: string, options: RotateOptions) =>
      run(options, async ({ get }) => {
        if (options.leaked && options.overlap !== undefined)
          throw new UsageError('--leaked ends the old key at once: leave --overlap out');
        const key = await findKey(get(ApiKeysService), keyId);
        const end = key.revocada_en ?? endOf(key);
        if (end && end <= new Date()) {
          throw new UsageError(
            `${keyId}: this key no longer works; make another with: keys create ${
              key.comercio === null ? '--operator NAME' : merchantOptions(key.comercio)
            }`,
          );
        }
        const overlap = readDuration(options.overlap ?? '24h');
        const fresh = await get(ApiKeysService).rotate(key, overlap, options.leaked);
        const expires = fresh.expiresAt?.toISOString() ?? null;
        const ends = fresh.oldEndsAt.toISOString();
        const json = { ...newKeyJson(fresh, keyModeOf(key)), expires, replaces: key.id, old_expires: ends };
        if (!options.leaked) return { json, text: `${newKeyText(fresh)}\nthe old key works until ${ends}` };
        const revoked = `${newKeyText(fresh)}\nthe old key is revoked; `;
        // The new key is shown this once, whatever becomes of the list.
        const found = await get(Database)
          .query<Solicitud>(findRequestsOfKey(key.id, MAX_REQUESTS))
          .catch((error: Error) => error);
        if (found instanceof Error)
          return {
            json: { ...json, solicitudes: null },
            text: `${revoked}what it did in the last 30 days could not be read: ${found.message}`,
          };
        const solicitudes = found.rows.map(toSolicitud);
        const lines = solicitudes.map(requestLine).join('\n') || 'nothing that is kept';
        return {
          json: { ...json, solicitudes },
          text: `${revoked}in the last 30 days it did:\n${lines}`,
        };
      }),
    );
}

interface RotateOptions extends JsonOption {
  overlap?: string;
  leaked?: true;
}

interface CreateOptions extends OwnerOption, JsonOption {
  label?: string;
  expires?: string;
  scopes?: string;
  test?: true;
}

interface OwnerOption {
  merchant?: string;
  operator?: string;
}

/** The owner of a key; of a test key the merchant's test twin. @throws UsageError unless exactly one is named and exists, and for a key to be made is not closed. */
async function findOwner(
  { merchant, operator, test }: OwnerOption & { test?: true },
  get: CommandContext['get'],
  findOperator: (name: string) => Promise<{ id: string } | null>,
  makesKey = false,
): Promise<KeyOwner> {
  if ((merchant === undefined) === (operator === undefined))
    throw new UsageError('name one of --merchant ID and --operator NAME');
  if (operator !== undefined && test)
    throw new UsageError('--test: for keys of merchants; an operator sees test guides with ?modo=prueba');
  if (merchant !== undefined) {
    const live = await findMerchant(get, merchant);
    if (makesKey && live.cerrado_en !== null)
      throw new UsageError(`--merchant: ${merchant} is closed; open it with: merchants reopen ${merchant}`);
    return { comercio_id: test ? (await get(MerchantsService).testTwinOf(live)).id : live.id };
  }
  const found = await findOperator(oneLine(operator!, '--operator'));
  if (!found)
    throw new UsageError(
      `--operator: no operator has the name ${operator}; its first key makes one: keys create --operator NAME`,
    );
  return { operador_id: found.id };
}

/** The options of `keys create` for another key of the same merchant and mode. */
const merchantOptions = ({ id, prueba_de }: Comercio) =>
  prueba_de === null ? `--merchant ${id}` : `--merchant ${prueba_de} --test`;

async function findKey(keys: ApiKeysService, keyId: string): Promise<KeyWithMerchant> {
  const key = isUuid(keyId) ? await keys.find(keyId) : null;
  if (!key)
    throw new UsageError(`no key has the id ${keyId}; see: keys list --merchant ID, or --operator NAME`);
  return key;
}

const newKeyText = ({ id, apiKey, expiresAt }: NewKey) =>
  `${apiKey}\n(shown once; key_id ${id}; ${expiresAt ? `works until ${expiresAt.toISOString()}` : 'does not expire'})`;

const newKeyJson = (key: NewKey, mode: KeyMode) => ({
  key_id: key.id,
  api_key: key.apiKey,
  prefix: prefixOf(key.identifier, mode),
});

function keyJson(key: KeyWithMerchant) {
  return {
    key_id: key.id,
    prefix: prefixOf(key.identificador, keyModeOf(key)),
    mode: keyModeOf(key),
    label: key.etiqueta,
    scopes: key.alcances,
    created: key.creada_en.toISOString(),
    expires: endOf(key)?.toISOString() ?? null,
    last_used: key.ultimo_uso_en?.toISOString() ?? null,
    revoked: key.revocada_en?.toISOString() ?? null,
  };
}

function keyLine(key: ReturnType<typeof keyJson>): string {
  const state = key.revoked ? `revoked ${key.revoked}` : key.expires ? `expires ${key.expires}` : 'active';
  return `${key.key_id}  ${key.prefix}  ${state}  last used ${key.last_used ?? 'never'}  ${key.label ?? ''}`.trimEnd();
}

const requestLine = ({ en, id, metodo, ruta, status, codigo }: SolicitudDto) =>
  `${en}  ${status}  ${metodo} ${ruta ?? '(unknown path)'}  ${codigo ?? ''}  ${id}`;

function readExpiry(value: string | undefined): Date | undefined {
  if (value === undefined) return undefined;
  const ms = parseInstant(value, 'until');
  if (ms === undefined)
    throw new UsageError('--expires: write a date that exists, like 2027-01-31 or 2027-01-31T12:00:00Z');
  if (ms <= Date.now())
    throw new UsageError(
      '--expires: is in the past; use a later date, or omit it for a key that never expires',
    );
  return new Date(ms);
}

function readScopes({ operator, scopes: value }: OwnerOption & { scopes?: string }): Scope[] | undefined {
  if (value === undefined) return undefined;
  const known: readonly string[] = operator === undefined ? MERCHANT_SCOPES : OPERATOR_SCOPES;
  const wanted = [...new Set(value.split(',').map((scope) => scope.trim()))];
  const unknown = wanted.find((scope) => !known.includes(scope));
  if (unknown !== undefined)
    throw new UsageError(
      `--scopes: ${unknown || '""'} is none ${operator === undefined ? 'of a merchant' : 'of an operator'}; known are ${known.join(', ')}`,
    );
  return wanted as Scope[];
}

function readDuration(value: string): number {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  if (amount === undefined || unit === undefined)
    throw new UsageError('--overlap: write it like 90s, 30m, 24h or 7d');
  return Number(amount) * UNITS[unit]!;
}
