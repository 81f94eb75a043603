import { isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import { StartupError } from '../errors/startup-error.js';
import { toMapTiles } from './map-tiles.js';
import { readSmtpUrl } from './mail.js';
import type { TracingConfig } from './tracing.js';
import { readReplicaUrls } from './replica-urls.js';
import { readVariables, VARIABLE_NAMES, type Variables } from './variables.js';

/** One line for each unset variable that another setting requires. */
function missingTogether(set: Record<string, string | undefined>): string[] {
  const needs: [because: string, applies: boolean, names: string[]][] = [
    ['DATABASE_READ_URL', readReplicaUrls(set.DATABASE_READ_URL ?? '') !== undefined, ['DATABASE_URL']],
    ['DATABASE_URL', set.DATABASE_URL !== undefined, ['APP_SECRET']],
    ['SMTP_URL', readSmtpUrl(set.SMTP_URL ?? '') !== undefined, ['MAIL_FROM']],
    [
      'MESSAGING_PROVIDER=webhook',
      set.MESSAGING_PROVIDER === 'webhook',
      ['MESSAGING_WEBHOOK_URL', 'MESSAGING_WEBHOOK_SECRET'],
    ],
    [
      'MESSAGING_PROVIDER=whatsapp',
      set.MESSAGING_PROVIDER === 'whatsapp',
      ['WHATSAPP_TOKEN', 'WHATSAPP_PHONE_NUMBER_ID', 'WHATSAPP_APP_SECRET', 'WHATSAPP_VERIFY_TOKEN'],
    ],
  ];
  return needs.flatMap(([because, applies, names]) =>
    names
      .filter((name) => applies && set[name] === undefined)
      .map(
        (name) =>
          `${name}: is required with ${because}${name === 'APP_SECRET' ? ', at least 32 bytes (try: openssl rand -base64 48)' : ''}`,
      ),
  );
}

export interface WhatsappConfig {
  readonly token: string;
  readonly phoneNumberId: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly apiUrl: string;
  readonly template: string;
  /** Undefined: no PIN is sent. */
  readonly pinTemplate: string | undefined;
  readonly templateLanguage: string;
}

function messagingWebhook({ MESSAGING_WEBHOOK_URL: url, MESSAGING_WEBHOOK_SECRET: key }: Variables) {
  return url !== undefined && key !== undefined ? { url, key } : undefined;
}

function whatsapp(read: Variables): WhatsappConfig | undefined {
  const {
    WHATSAPP_TOKEN: token,
    WHATSAPP_PHONE_NUMBER_ID: phoneNumberId,
    WHATSAPP_APP_SECRET: appSecret,
    WHATSAPP_VERIFY_TOKEN: verifyToken,
  } = read;
  if (!token || !phoneNumberId || !appSecret || !verifyToken) return undefined;
  return {
    token,
    phoneNumberId,
    appSecret,
    verifyToken,
    apiUrl: read.WHATSAPP_API_URL,
    template: read.WHATSAPP_TEMPLATE,
    pinTemplate: read.WHATSAPP_PIN_TEMPLATE,
    templateLanguage: read.WHATSAPP_TEMPLATE_LANGUAGE,
  };
}

/** Whose installation this is. */
export interface Courier {
  readonly name: string;
  /** E.164; undefined where merchants cannot write to it. */
  readonly phone: string | undefined;
}

function courier({ COURIER_NAME: name, COURIER_PHONE: phone }: Variables): Courier | undefined {
  return name === undefined ? undefined : { name, phone };
}

function mail({ SMTP_URL: server, MAIL_FROM: from }: Variables) {
  return server !== undefined && from !== undefined ? { server, from } : undefined;
}

function tracing(read: Variables): TracingConfig | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = read;
  if (endpoint === undefined) return undefined;
  return { endpoint, serviceName, sampler: read.OTEL_TRACES_SAMPLER, ratio: read.OTEL_TRACES_SAMPLER_ARG };
}

/** Whether a host or address is this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

export class Config {
  readonly port = this.read.PORT;
  readonly host = this.read.HOST;
  /** Whether only this machine reaches the service, outside production. */
  readonly isLocal = isLoopback(this.read.HOST) && this.read.NODE_ENV !== 'production';
  readonly publicUrl = this.read.PUBLIC_URL;
  readonly databaseUrl = this.read.DATABASE_URL;
  readonly migrationDatabaseUrl = this.read.MIGRATION_DATABASE_URL;
  readonly replicaUrls = this.read.DATABASE_READ_URL ?? [];
  readonly dataDir = resolve(this.read.DATA_DIR);
  readonly appSecret = this.read.APP_SECRET;
  readonly role = this.read.ROLE;
  /** Ignored; the start warns of it. */
  readonly webConcurrency = this.read.WEB_CONCURRENCY;
  readonly defaultCountry = this.read.DEFAULT_COUNTRY;
  /** Undefined where the queues live in PostgreSQL. */
  readonly redis = this.read.REDIS_URL;
  readonly messagingProvider = this.read.MESSAGING_PROVIDER;
  /** Set if both of its variables are set, even if another provider is chosen. */
  readonly messagingWebhook = messagingWebhook(this.read);
  /** Set if its four required variables are set, even if another provider is chosen. */
  readonly whatsapp = whatsapp(this.read);
  /** Undefined where SMTP_URL is not set: mails are kept. */
  readonly mail = mail(this.read);
  readonly courier = courier(this.read);
  /** Stands in for the map services; has no trailing slash. */
  readonly mapsResolverUrl = this.read.MAPS_RESOLVER_URL;
  /** Null for a plain grid. */
  readonly tiles = toMapTiles(this.read);
  readonly boardUsers = this.read.BOARD_USERS;
  readonly metricsToken = this.read.METRICS_TOKEN;
  readonly trustProxy = this.read.TRUST_PROXY;
  readonly rateLimitPerMinute = this.read.RATE_LIMIT_PER_MINUTE;
  readonly messagesPerPhonePerDay = this.read.MESSAGES_PER_PHONE_PER_DAY;
  /** Whether merchants' webhooks may go to private addresses and over plain http. */
  readonly webhookAllowPrivate = this.read.WEBHOOK_ALLOW_PRIVATE;
  readonly logLevel = this.read.LOG_LEVEL;
  readonly tracing = tracing(this.read);

  constructor(private readonly read: Variables) {}
}

/**
 * Reads the environment; nothing else reads `process.env`.
 * @throws StartupError with one line per fault: the variable's name and how to fix it, never its value.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(
    VARIABLE_NAMES.map((name) => [name, environment[name]?.trim() || undefined] as const),
  );
  const { read, faults } = readVariables(set);
  faults.push(...missingTogether(set));
  if (faults.length > 0) throw new StartupError(faults.join('\n'));
  return new Config(read);
}

/**
 * node-postgres takes from libpq's variables what a URL does not say. Nothing of them reaches the embedded server. With
 * DATABASE_URL they count, but for two that only break connections.
 */
export function dropLibpqVariables({ databaseUrl }: Config): void {
  const dropped = databaseUrl === undefined ? /^PG[A-Z]+$/ : /^PG(REPLICATION|CLIENT_ENCODING)$/;
  for (const name of Object.keys(process.env)) if (dropped.test(name)) delete process.env[name];
}
