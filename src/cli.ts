#!/usr/bin/env node
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Command, CommanderError } from 'commander';
import { isSupportedCountry, type CountryCode } from 'libphonenumber-js';
import { AppModule } from './app.module.js';
import { prefixOf } from './auth/api-key.js';
import { ApiKeysService, type KeySummary } from './auth/api-keys.service.js';
import { AuthModule } from './auth/auth.module.js';
import type { ClaveApi } from './auth/clave-api.entity.js';
import type { Comercio } from './auth/comercio.entity.js';
import { MerchantsService } from './auth/merchants.service.js';
import { SCOPES, type Scope } from './auth/scopes.js';
import { ConfigModule } from './config/config.module.js';
import { loadConfig, type Config } from './config/env.js';
import { loadSecrets, Secrets } from './config/secrets.js';
import { DatabaseModule } from './database/database.module.js';
import { openDatabase } from './database/open-database.js';
import { isUuid } from './guias/guia-id.js';
import { createOpenApiDocument } from './openapi.js';
import { parseInstant } from './validation/instant.js';

/** A mistake of the operator: one line, no stack. */
class UsageError extends Error {}

interface Services {
  merchants: MerchantsService;
  keys: ApiKeysService;
  config: Config;
  applied: string[];
}

/** What a command prints: one JSON object, or the same for people. */
interface Output {
  json: object;
  text: string;
}

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const program = new Command('guias')
  .description('Operator commands of Guías. They work while the service runs and while it is stopped.')
  .exitOverride()
  .configureOutput({ writeErr: () => undefined });

const merchants = program.command('merchants').description('merchants (comercios)');
command(merchants.command('create').description('make a merchant'))
  .requiredOption('--name <name>', 'up to 120 characters')
  .option('--country <CC>', 'ISO 3166 country of its local phone numbers (default: DEFAULT_COUNTRY)')
  .action((options: { name: string; country?: string; json?: true }) =>
    run(options, async ({ merchants, config }) => {
      const name = text(options.name, '--name');
      const merchant = await merchants.create(name, country(options.country) ?? config.defaultCountry);
      return { json: merchantJson(merchant), text: merchantLine(merchant) };
    }),
  );
command(merchants.command('list').description('list merchants, oldest first')).action(
  (options: { json?: true }) =>
    run(options, async ({ merchants }) => {
      const all = await merchants.list();
      return {
        json: { merchants: all.map(merchantJson) },
        text: all.map(merchantLine).join('\n') || 'no merchants yet',
      };
    }),
);

const keys = program.command('keys').description('API keys (claves de API)');
command(keys.command('create').description('make an API key; the only time it is shown'))
  .requiredOption('--merchant <ID>', 'merchant_id')
  .option('--label <L>', 'what it is for')
  .option('--expires <ISO>', 'when it stops working, like 2027-01-31 or 2027-01-31T12:00:00Z')
  .option('--scopes <list>', `comma-separated (default: ${SCOPES.join(',')})`)
  .action((options: { merchant: string; label?: string; expires?: string; scopes?: string; json?: true }) =>
    run(options, async ({ merchants, keys }) => {
      const merchant = isUuid(options.merchant) ? await merchants.find(options.merchant) : null;
      if (!merchant)
        throw new UsageError(`--merchant: no merchant has the id ${options.merchant}; see: merchants list`);
      const key = await keys.create(merchant.id, {
        label: options.label === undefined ? undefined : text(options.label, '--label'),
        expiresAt: expiry(options.expires),
        scopes: scopes(options.scopes),
      });
      return { json: newKeyJson(key), text: `${key.apiKey}\n(shown once; key_id ${key.id})` };
    }),
  );
command(keys.command('list').description('list the keys of a merchant, newest first'))
  .requiredOption('--merchant <ID>', 'merchant_id')
  .action((options: { merchant: string; json?: true }) =>
    run(options, async ({ merchants, keys }) => {
      if (!isUuid(options.merchant) || !(await merchants.find(options.merchant))) {
        throw new UsageError(`--merchant: no merchant has the id ${options.merchant}; see: merchants list`);
      }
      const all = (await keys.list(options.merchant)).map(keyJson);
      return { json: { keys: all }, text: all.map(keyLine).join('\n') || 'no keys yet' };
    }),
  );
command(
  keys.command('revoke <KEY_ID>').description('end a key for good, within 5 s in every process'),
).action((keyId: string, options: { json?: true }) =>
  run(options, async ({ keys }) => {
    const key = await findKey(keys, keyId);
    const revoked = await keys.revoke(key);
    return {
      json: { key_id: key.id, prefix: prefixOf(key.identificador), revoked: revoked.toISOString() },
      text: `${prefixOf(key.identificador)} is revoked`,
    };
  }),
);
command(
  keys.command('rotate <KEY_ID>').description('make a new key; the old one works until the overlap ends'),
)
  .option('--overlap <time>', 'how long the old key still works, like 90s, 30m, 24h or 7d', '24h')
  .action((keyId: string, options: { overlap: string; json?: true }) =>
    run(options, async ({ keys }) => {
      const key = await findKey(keys, keyId);
      if (key.revocada_en || (key.expira_en && key.expira_en.getTime() <= Date.now())) {
        throw new UsageError(
          `${keyId}: this key no longer works; make another with: keys create --merchant ${key.comercio_id}`,
        );
      }
      const fresh = await keys.rotate(key, duration(options.overlap));
      const ends = fresh.oldExpiresAt.toISOString();
      return {
        json: { ...newKeyJson(fresh), replaces: key.id, old_expires: ends },
        text: `${fresh.apiKey}\n(shown once; key_id ${fresh.id}; the old key works until ${ends})`,
      };
    }),
  );

command(program.command('migrate').description('bring the database schema up to date')).action(
  (options: { json?: true }) =>
    run(options, ({ applied }) =>
      Promise.resolve({
        json: { applied },
        text: applied.length ? `applied: ${applied.join(', ')}` : 'nothing to apply',
      }),
    ),
);

program
  .command('openapi')
  .description('write the OpenAPI document')
  .option('--out <file>', 'where to', 'openapi.json')
  .action(writeOpenApi);

/** Every command that touches the database can speak JSON. */
function command(one: Command): Command {
  return one.option('--json', 'print one JSON object');
}

/** Opens the database, runs one command, prints its output and gives everything back. */
async function run(options: { json?: true }, action: (services: Services) => Promise<Output>): Promise<void> {
  const config = loadConfig();
  const secrets = loadSecrets(config);
  const opening = openDatabase(config);
  // An interrupted command must not leave a server behind that it has started.
  const leave = () => void opening.then((opened) => opened.kill()).finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, leave);
  const database = await opening;
  try {
    const app = await NestFactory.createApplicationContext(
      {
        module: class Operator {},
        imports: [ConfigModule.register(config, secrets), DatabaseModule.register(database.url), AuthModule],
      },
      { logger: false, abortOnError: false },
    );
    const services = {
      merchants: app.get(MerchantsService),
      keys: app.get(ApiKeysService),
      config,
      applied: database.applied,
    };
    const output = await action(services).finally(() => app.close());
    process.stdout.write(`${options.json ? JSON.stringify(output.json) : output.text}\n`);
  } finally {
    await database.close();
  }
}

async function writeOpenApi({ out }: { out: string }): Promise<void> {
  const options = { config: loadConfig({}), secrets: new Secrets(''), databaseUrl: 'postgres://unused' };
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.register(options),
    new FastifyAdapter(),
    {
      preview: true,
      logger: false,
      abortOnError: false,
    },
  );
  writeFileSync(out, `${JSON.stringify(createOpenApiDocument(app), null, 2)}\n`);
}

async function findKey(keys: ApiKeysService, keyId: string): Promise<ClaveApi> {
  const key = isUuid(keyId) ? await keys.find(keyId) : null;
  if (!key) throw new UsageError(`no key has the id ${keyId}; see: keys list --merchant ID`);
  return key;
}

const merchantJson = ({ id, nombre, pais }: Comercio) => ({ merchant_id: id, name: nombre, country: pais });
const merchantLine = ({ id, nombre, pais }: Comercio) => `${id}  ${pais}  ${nombre}`;
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

function text(value: string, option: string): string {
  const trimmed = value.trim();
  if (trimmed === '' || [...trimmed].length > 120 || /[\p{Cc}\p{Cs}]/u.test(trimmed)) {
    throw new UsageError(`${option}: must be 1 to 120 characters on one line`);
  }
  return trimmed;
}

function country(value: string | undefined): CountryCode | undefined {
  if (value === undefined) return undefined;
  const code = value.toUpperCase();
  if (!isSupportedCountry(code))
    throw new UsageError(`--country: ${value} is no ISO 3166 country code; write it like GT`);
  return code;
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

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError && error.exitCode === 0) process.exit(0);
  const isIncomplete = error instanceof CommanderError && error.code === 'commander.help';
  const message = isIncomplete
    ? 'this is not a whole command; add --help to see what can follow'
    : (error as Error).message;
  process.stderr.write(`${message.replace(/^error: /, '').replaceAll('\n', '; ')}\n`);
  process.exit(1);
}
process.exit(0);
