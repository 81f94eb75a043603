import type { Command } from 'commander';
import { prefixOf } from '../auth/api-key.js';
import { ApiKeysService, type KeySummary } from '../auth/api-keys.service.js';
import type { ClaveApi } from '../auth/clave-api.entity.js';
import { MerchantsService } from '../auth/merchants.service.js';
import { SCOPES, type Scope } from '../auth/scopes.js';
import { isUuid } from '../guias/guia-id.js';
import { parseInstant } from '../validation/instant.js';
import { jsonCommand, oneLine, run, UsageError, type JsonOption } from './run-command.js';

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `guias keys …` */
export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('API keys (claves de API)');
  jsonCommand(keys.command('create').description('make an API key; the only time it is shown'))
    .requiredOption('--merchant <ID>', 'merchant_id')
    .option('--label <L>', 'what it is for')
    .option('--expires <ISO>', 'when it stops working, like 2027-01-31 or 2027-01-31T12:00:00Z')
    .option('--scopes <list>', `comma-separated (default: ${SCOPES.join(',')})`)
    .action((options: { merchant: string; label?: string; expires?: string; scopes?: string } & JsonOption) =>
      run(options, async ({ get }) => {
        const merchant = isUuid(options.merchant) ? await get(MerchantsService).find(options.merchant) : null;
        if (!merchant)
          throw new UsageError(`--merchant: no merchant has the id ${options.merchant}; see: merchants list`);
        const key = await get(ApiKeysService).create(merchant.id, {
          label: options.label === undefined ? undefined : oneLine(options.label, '--label'),
          expiresAt: expiry(options.expires),
          scopes: scopes(options.scopes),
        });
        return { json: newKeyJson(key), text: `${key.apiKey}\n(shown once; key_id ${key.id})` };
      }),
    );
  jsonCommand(keys.command('list').description('list the keys of a merchant, newest first'))
    .requiredOption('--merchant <ID>', 'merchant_id')
    .action((options: { merchant: string } & JsonOption) =>
      run(options, async ({ get }) => {
        if (!isUuid(options.merchant) || !(await get(MerchantsService).find(options.merchant))) {
          throw new UsageError(`--merchant: no merchant has the id ${options.merchant}; see: merchants list`);
        }
        const all = (await get(ApiKeysService).list(options.merchant)).map(keyJson);
        return { json: { keys: all }, text: all.map(keyLine).join('\n') || 'no keys yet' };
      }),
    );
  jsonCommand(
    keys.command('revoke <KEY_ID>').description('end a key for good, within 5 s in every process'),
  ).action((keyId: string, options: JsonOption) =>
    run(options, async ({ get }) => {
      const key = await findKey(get(ApiKeysService), keyId);
      const revoked = await get(ApiKeysService).revoke(key);
      return {
        json: { key_id: key.id, prefix: prefixOf(key.identificador), revoked: revoked.toISOString() },
        text: `${prefixOf(key.identificador)} is revoked`,
      };
    }),
  );
  jsonCommand(
    keys.command('rotate <KEY_ID>').description('make a new key; the old one works until the overlap ends'),
  )
    .option('--overlap <time>', 'how long the old key still works, like 90s, 30m, 24h or 7d', '24h')
    .action((keyId: string, options: { overlap: string } & JsonOption) =>
      run(options, async ({ get }) => {
        const key = await findKey(get(ApiKeysService), keyId);
        if (key.revocada_en || (key.expira_en && key.expira_en.getTime() <= Date.now())) {
          throw new UsageError(
            `${keyId}: this key no longer works; make another with: keys create --merchant ${key.comercio_id}`,
          );
        }
        const fresh = await get(ApiKeysService).rotate(key, duration(options.overlap));
        const ends = fresh.oldExpiresAt.toISOString();
        return {
          json: { ...newKeyJson(fresh), replaces: key.id, old_expires: ends },
          text: `${fresh.apiKey}\n(shown once; key_id ${fresh.id}; the old key works until ${ends})`,
        };
      }),
    );
}

async function findKey(keys: ApiKeysService, keyId: string): Promise<ClaveApi> {
  const key = isUuid(keyId) ? await keys.find(keyId) : null;
  if (!key) throw new UsageError(`no key has the id ${keyId}; see: keys list --merchant ID`);
  return key;
}

const newKeyJson = (key: { id: string; apiKey: string; identifier: string }) => ({
  key_id: key.id,
  api_key: key.apiKey,
  prefix: prefixOf(key.identifier),
});

function keyJson(key: KeySummary) {
  return {
    key_id: key.id,
    prefix: prefixOf(key.identificador),
    label: key.etiqueta,
    scopes: key.alcances,
    created: key.creada_en.toISOString(),
    expires: key.expira_en?.toISOString() ?? null,
    last_used: key.ultimo_uso_en?.toISOString() ?? null,
    revoked: key.revocada_en?.toISOString() ?? null,
  };
}

function keyLine(key: ReturnType<typeof keyJson>): string {
  const state = key.revoked ? `revoked ${key.revoked}` : key.expires ? `expires ${key.expires}` : 'active';
  return `${key.key_id}  ${key.prefix}  ${state}  last used ${key.last_used ?? 'never'}  ${key.label ?? ''}`.trimEnd();
}

function expiry(value: string | undefined): Date | undefined {
  if (value === undefined) return undefined;
  const ms = parseInstant(value, 'until');
  if (ms === undefined) throw new UsageError('--expires: write it like 2027-01-31 or 2027-01-31T12:00:00Z');
  if (ms <= Date.now()) throw new UsageError('--expires: lies in the past');
  return new Date(ms);
}

function scopes(value: string | undefined): Scope[] | undefined {
  if (value === undefined) return undefined;
  const wanted = [...new Set(value.split(',').map((scope) => scope.trim()))];
  const unknown = wanted.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown !== undefined)
    throw new UsageError(`--scopes: ${unknown} is none; known are ${SCOPES.join(', ')}`);
  return wanted as Scope[];
}

function duration(value: string): number {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  if (amount === undefined || unit === undefined)
    throw new UsageError('--overlap: write it like 90s, 30m, 24h or 7d');
  return Number(amount) * UNITS[unit]!;
}
