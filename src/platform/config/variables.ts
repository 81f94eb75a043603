import { isSupportedCountry, type CountryCode } from 'libphonenumber-js';
import { parseUrl } from './parse-url.js';
import { readWebhookSecret, WEBHOOK_SECRET_RULE } from './webhook-secret.js';
import { readBoardUsers } from './board-users.js';
import { isTileUrl, OPENSTREETMAP, TILE_URL_RULE } from './map-tiles.js';
import { DATABASE_URL_RULE, isDatabaseUrl } from './database-url.js';
import { readReplicaUrls, REPLICA_URLS_RULE } from './replica-urls.js';
import { readRedisAddress, REDIS_URL_RULE } from './redis-address.js';
import { HEADERS_FORM, SAMPLERS } from './tracing.js';
import { MAIL_FROM_RULE, readMailFrom, readSmtpUrl, SMTP_URL_RULE } from './mail.js';
import { MESSAGING_PROVIDERS } from './messaging-providers.js';
import { isTrustProxy, toTrustProxy } from './trust-proxy.js';
import { anyText, format, integer, matching, oneOf, optional, RuleError, withDefault } from './variable.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The least that APP_SECRET has. */
export const APP_SECRET_BYTES = 32;

/** Loses its trailing slashes. */
const httpUrl = format('must be a URL that starts with http:// or https://', (text) =>
  /^https?:\/\/./i.test(text) && parseUrl(text) !== undefined ? text.replace(/(?<!\/)\/+$/, '') : undefined,
);

const hostAlone = format(
  'must be http:// or https:// and a host, without a path: give the service a host name of its own',
  (text) => {
    const { origin, pathname, search, hash, username, password } = new URL(text);
    return pathname + search + hash + username + password === '/' ? origin : undefined;
  },
);

/** Pages, assets and redirects are at the root of their host, so that links below a path would lead nowhere. */
const rootUrl = (text: string) => hostAlone(httpUrl(text));

const databaseUrl = format(DATABASE_URL_RULE, (text) => (isDatabaseUrl(text) ? text : undefined));

/**
 * Every environment variable of the service: format, default and meaning.
 * An empty value counts as unset (Compose passes `${NAME:-}` as an empty string).
 */
const variables = {
  /** TCP port the API listens on, 0–65535; 0 takes a free one. Default 3000. */
  PORT: withDefault(integer(0, 65_535), 3000),
  /** Address the API listens on. Default 127.0.0.1; the container image sets 0.0.0.0. */
  HOST: withDefault(anyText, '127.0.0.1'),
  /** Base of the links sent to recipients; without a path. Default: http://localhost:PORT. */
  PUBLIC_URL: optional(rootUrl),
  /** postgres://… of one server, or of a proxy before several. Default: none, an embedded PostgreSQL in DATA_DIR. */
  DATABASE_URL: optional(databaseUrl),
  /**
   * postgres://… of the tables' owner, used for migrations. The role in DATABASE_URL is then created if it does not
   * exist, and may only read and write data. Default: DATABASE_URL, whose role owns the tables.
   */
  MIGRATION_DATABASE_URL: optional(databaseUrl),
  /**
   * postgres://… of each replica of DATABASE_URL's server, separated by spaces or commas; one server each. Lists, details,
   * histories and reports are read there. Default: none, all is read from DATABASE_URL.
   */
  DATABASE_READ_URL: optional(format(REPLICA_URLS_RULE, readReplicaUrls)),
  /**
   * redis://…, redis+sentinel://host:port,host:port/master, or redis+cluster://host:port,host:port. Default: none; the
   * queues live in PostgreSQL, and each process counts requests by itself.
   */
  REDIS_URL: optional(format(REDIS_URL_RULE, readRedisAddress)),
  /** Folder of the embedded PostgreSQL and of the generated secrets. Default .data. */
  DATA_DIR: withDefault(anyText, '.data'),
  /** Root of every derived key, at least 32 bytes. Default: generated into DATA_DIR in embedded mode. */
  APP_SECRET: optional(
    format(`must have at least ${APP_SECRET_BYTES} bytes (try: openssl rand -base64 48)`, (text) =>
      Buffer.byteLength(text) >= APP_SECRET_BYTES ? text : undefined,
    ),
  ),
  /** `production`: makes no demo merchant and prints no password. Default: none. */
  NODE_ENV: optional(anyText),
  /** Role of this process: api, worker or all. Default all. */
  ROLE: withDefault(oneOf(['api', 'worker', 'all'], 'must be api, worker or all'), 'all'),
  /** Ignored with a warning, because some hosts set it: a start is one process. */
  WEB_CONCURRENCY: optional(anyText),
  /** ISO 3166 country of local phone numbers where the merchant names none. Default GT. */
  DEFAULT_COUNTRY: withDefault(
    format('must be an ISO 3166 country code in capitals, like GT', (text): CountryCode | undefined =>
      isSupportedCountry(text) ? text : undefined,
    ),
    'GT',
  ),
  /** How recipients are messaged: sandbox (kept, not sent), webhook or whatsapp. Default sandbox. */
  MESSAGING_PROVIDER: withDefault(
    oneOf(MESSAGING_PROVIDERS, 'must be sandbox, webhook or whatsapp'),
    'sandbox',
  ),
  /** Where the webhook provider posts messages. */
  MESSAGING_WEBHOOK_URL: optional(httpUrl),
  /** Standard Webhooks secret of the webhook provider: whsec_ and base64 of 24 to 64 bytes. */
  MESSAGING_WEBHOOK_SECRET: optional(format(WEBHOOK_SECRET_RULE, readWebhookSecret)),
  /** Cloud API access token. */
  WHATSAPP_TOKEN: optional(anyText),
  /** Cloud API id of the sending number: digits. */
  WHATSAPP_PHONE_NUMBER_ID: optional(matching(/^\d+$/, 'must be digits')),
  /** Meta app secret that signs inbound webhooks. */
  WHATSAPP_APP_SECRET: optional(anyText),
  /** Token of our choice that Meta repeats when the webhook is registered. */
  WHATSAPP_VERIFY_TOKEN: optional(anyText),
  /** Cloud API base, with its version. */
  WHATSAPP_API_URL: withDefault(httpUrl, 'https://graph.facebook.com/v26.0'),
  /** Name of the approved template. */
  WHATSAPP_TEMPLATE: withDefault(anyText, 'confirmar_ubicacion'),
  /** Name of the approved template that tells the PIN of a delivery. Default: none, WhatsApp tells no PIN. */
  WHATSAPP_PIN_TEMPLATE: optional(anyText),
  /** Language code the templates were approved in. */
  WHATSAPP_TEMPLATE_LANGUAGE: withDefault(anyText, 'es'),
  /**
   * Mail server: smtp://HOST:PORT with STARTTLS where the server has it (with a password always, but on loopback), smtps:// with
   * TLS from the first byte. Default: none, mails are kept and `sandbox inbox` shows them.
   */
  SMTP_URL: optional(format(SMTP_URL_RULE, readSmtpUrl)),
  /** Sender of mails: an address, or Name <address>. Required with SMTP_URL. */
  MAIL_FROM: optional(format(MAIL_FROM_RULE, readMailFrom)),
  /** Name of the courier whose installation this is, for merchants' pages and mails. Default: none, *Guías*. */
  COURIER_NAME: optional(matching(/^[^\p{Cc}]{1,80}$/u, 'must have 1 to 80 characters on one line')),
  /** Where merchants write to the courier by WhatsApp: a phone with its country code. Default: nowhere. */
  COURIER_PHONE: optional(
    format('must be a phone with its country code, like +502 5555 1234', (text) => {
      const digits = text.replaceAll(/[\s().-]/g, '');
      return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : undefined;
    }),
  ),
  /** Stand-in for the map services: https://HOST/PATH is requested as $MAPS_RESOLVER_URL/HOST/PATH. */
  MAPS_RESOLVER_URL: optional(httpUrl),
  /** Map tiles of the recipient's page, with {z}, {x} and {y}; none for a plain grid. Default: OpenStreetMap's. */
  TILE_URL: withDefault(
    format(`${TILE_URL_RULE}, or be none`, (text) => (text === 'none' || isTileUrl(text) ? text : undefined)),
    OPENSTREETMAP.url,
  ),
  /** Credit line that the tile service asks for; may contain links. Default: OpenStreetMap's with its tiles, else none. */
  TILE_ATTRIBUTION: optional(anyText),
  /** Satellite images of the recipient's page, with {z}, {x} and {y}; not used with TILE_URL=none. Default: none. */
  TILE_URL_SATELLITE: optional(format(TILE_URL_RULE, (text) => (isTileUrl(text) ? text : undefined))),
  /** Credit line of the satellite images. */
  TILE_ATTRIBUTION_SATELLITE: optional(anyText),
  /**
   * Who may open /admin: name:password or name:password:role, comma-separated; passwords of 12 characters or more; role
   * lectura (read-only), soporte (the default), despacho or admin; each may do what those before it may. Default: one admin in
   * embedded mode, otherwise no /admin.
   */
  BOARD_USERS: optional(readBoardUsers),
  /** Bearer token for /metrics. Default: none, /metrics answers on loopback only. */
  METRICS_TOKEN: optional(anyText),
  /** Trusted proxies: false, a hop count, or addresses and CIDR ranges, comma-separated. Default: none, and a warning. */
  TRUST_PROXY: optional(
    format('must be false, a number of hops, or IP addresses and CIDR ranges, comma-separated', (text) =>
      isTrustProxy(text) ? toTrustProxy(text) : undefined,
    ),
  ),
  /** Requests per API key and minute, counted across all processes with REDIS_URL, else per process. Default 600. */
  RATE_LIMIT_PER_MINUTE: withDefault(integer(1, 1_000_000_000), 600),
  /** Messages of each type that is sent unasked (confirmation, PIN) to one number in 24 h, over all merchants. Default 10. */
  MESSAGES_PER_PHONE_PER_DAY: withDefault(integer(1, 1_000_000), 10),
  /** Whether webhooks may go to private addresses and over plain http: true or false. Default false. */
  WEBHOOK_ALLOW_PRIVATE: withDefault(
    format('must be true or false', (text) =>
      text === 'true' || text === 'false' ? text === 'true' : undefined,
    ),
    false,
  ),
  /** pino level: fatal, error, warn, info, debug, trace or silent. Default info. */
  LOG_LEVEL: withDefault(oneOf(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`), 'info'),
  /** Base URL of an OpenTelemetry collector that takes OTLP over HTTP: spans go to /v1/traces. Default: none, no tracing. */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(httpUrl),
  /** Headers of the requests to the collector: name=value, comma-separated, values percent-encoded; the exporter reads them. */
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    matching(HEADERS_FORM, 'must be name=value pairs, comma-separated, with percent-encoded values'),
  ),
  /** Name of the service in its spans. Default guias. */
  OTEL_SERVICE_NAME: withDefault(anyText, 'guias'),
  /** Sampler of traces. Default parentbased_always_on: all, except those whose caller does not sample. */
  OTEL_TRACES_SAMPLER: withDefault(
    oneOf(SAMPLERS, `must be one of ${SAMPLERS.join(', ')}`),
    'parentbased_always_on',
  ),
  /** Part of the traces that the traceidratio samplers keep, 0 to 1. Default 1. */
  OTEL_TRACES_SAMPLER_ARG: withDefault(
    format('must be a number from 0 to 1', (text) =>
      /^(0(\.\d+)?|1(\.0+)?)$/.test(text) ? Number(text) : undefined,
    ),
    1,
  ),
};

export type Variables = { [Name in keyof typeof variables]: ReturnType<(typeof variables)[Name]> };

export const VARIABLE_NAMES = Object.keys(variables);

/** Reads every variable; a fault is the variable's name and its rule. */
export function readVariables(set: Record<string, string | undefined>): {
  read: Variables;
  faults: string[];
} {
  const faults: string[] = [];
  const valueOf = (name: string, read: (text: string | undefined) => unknown): unknown => {
    try {
      return read(set[name]);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      faults.push(`${name}: ${error.message}`);
      return undefined;
    }
  };
  const entries = Object.entries(variables).map(([name, read]) => [name, valueOf(name, read)]);
  return { read: Object.fromEntries(entries) as Variables, faults };
}
