import { isSupportedCountry, type CountryCode } from 'libphonenumber-js';
import { z } from 'zod';
import { parseUrl } from './parse-url.js';
import { readWebhookSecret, WEBHOOK_SECRET_RULE } from './webhook-secret.js';
import { BOARD_USERS_FORM, BOARD_USERS_RULE, toBoardUsers } from './board-users.js';
import { isTileUrl, OPENSTREETMAP, TILE_URL_RULE } from './map-tiles.js';
import { DATABASE_URL_RULE, readDatabaseUrl } from './database-url.js';
import { readReplicaUrls, REPLICA_URLS_RULE } from './replica-urls.js';
import { readRedisAddress, REDIS_URL_RULE } from './redis-address.js';
import { HEADERS_FORM, SAMPLERS } from './tracing.js';
import { MESSAGING_PROVIDERS } from './messaging-providers.js';
import { isTrustProxy, toTrustProxy } from './trust-proxy.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The least that APP_SECRET has. */
export const APP_SECRET_BYTES = 32;

const integer = (min: number, max: number) => {
  const message = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message));
};

const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (text) =>
        parseUrl(text) !== undefined &&
        protocols.some(
          (protocol) => text.toLowerCase().startsWith(`${protocol}//`) && text.length > protocol.length + 2,
        ),
      `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );

const httpUrl = url('http:', 'https:').transform((text) => text.replace(/(?<!\/)\/+$/, ''));

/** Pages, assets and redirects are at the root of their host, so that links below a path would lead nowhere. */
const rootUrl = httpUrl
  .refine((text) => {
    const { pathname, search, hash, username, password } = parseUrl(text) ?? new URL('http://-/-');
    return pathname + search + hash + username + password === '/';
  }, 'must be http:// or https:// and a host, without a path: give the service a host name of its own')
  .transform((text) => new URL(text).origin);

const databaseUrl = z.string().refine((text) => readDatabaseUrl(text) !== undefined, DATABASE_URL_RULE);

/**
 * Every environment variable of the service: format, default and meaning.
 * An empty value counts as unset (Compose passes `${NAME:-}` as an empty string).
 */
export const variables = z.object({
  /** TCP port the API listens on, 0–65535; 0 takes a free one. Default 3000. */
  PORT: integer(0, 65_535).default(3000),
  /** Address the API listens on. Default 127.0.0.1; the container image sets 0.0.0.0. */
  HOST: z.string().default('127.0.0.1'),
  /** Base of the links sent to recipients; without a path. Default: http://localhost:PORT. */
  PUBLIC_URL: rootUrl.optional(),
  /**
   * postgres://…; for several servers, one of which accepts writes:
   * postgres://…@host:port,host:port/…?target_session_attrs=read-write.
   * Default: none, an embedded PostgreSQL in DATA_DIR.
   */
  DATABASE_URL: databaseUrl.optional(),
  /**
   * postgres://… of the tables' owner, used for migrations. The role in DATABASE_URL is then created if it does not
   * exist, and may only read and write data. Default: DATABASE_URL, whose role owns the tables.
   */
  MIGRATION_DATABASE_URL: databaseUrl.optional(),
  /**
   * postgres://… of each replica of DATABASE_URL's server, separated by spaces or commas; one server each. Lists, details,
   * histories and reports are read there. Default: none, all is read from DATABASE_URL.
   */
  DATABASE_READ_URL: z
    .string()
    .transform(readReplicaUrls)
    .refine((urls) => urls !== undefined, REPLICA_URLS_RULE)
    .optional(),
  /**
   * redis://…, redis+sentinel://host:port,host:port/master, or redis+cluster://host:port,host:port. Default: none; the
   * queues live in PostgreSQL, and each process counts requests by itself.
   */
  REDIS_URL: z
    .string()
    .refine((text) => readRedisAddress(text) !== undefined, REDIS_URL_RULE)
    .transform((text) => readRedisAddress(text)!)
    .optional(),
  /** Folder of the embedded PostgreSQL and of the generated secrets. Default .data. */
  DATA_DIR: z.string().default('.data'),
  /** Root of every derived key, at least 32 bytes. Default: generated into DATA_DIR in embedded mode. */
  APP_SECRET: z
    .string()
    .refine(
      (text) => Buffer.byteLength(text) >= APP_SECRET_BYTES,
      `must have at least ${APP_SECRET_BYTES} bytes (try: openssl rand -base64 48)`,
    )
    .optional(),
  /** `production`: makes no demo merchant and prints no password. Default: none. */
  NODE_ENV: z.string().optional(),
  /** Role of this process: api, worker or all. Default all. */
  ROLE: z.enum(['api', 'worker', 'all'], 'must be api, worker or all').default('all'),
  /** Ignored with a warning, because some hosts set it: a start is one process. */
  WEB_CONCURRENCY: z.string().optional(),
  /** ISO 3166 country of local phone numbers where the merchant names none. Default GT. */
  DEFAULT_COUNTRY: z
    .string()
    .refine(
      (text): text is CountryCode => isSupportedCountry(text),
      'must be an ISO 3166 country code in capitals, like GT',
    )
    .default('GT'),
  /** How recipients are messaged: sandbox (kept, not sent), webhook or whatsapp. Default sandbox. */
  MESSAGING_PROVIDER: z.enum(MESSAGING_PROVIDERS, 'must be sandbox, webhook or whatsapp').default('sandbox'),
  /** Where the webhook provider posts messages. */
  MESSAGING_WEBHOOK_URL: httpUrl.optional(),
  /** Standard Webhooks secret of the webhook provider: whsec_ and base64 of 24 to 64 bytes. */
  MESSAGING_WEBHOOK_SECRET: z
    .string()
    .transform(readWebhookSecret)
    .refine((key) => key !== undefined, WEBHOOK_SECRET_RULE)
    .optional(),
  /** Cloud API access token. */
  WHATSAPP_TOKEN: z.string().optional(),
  /** Cloud API id of the sending number: digits. */
  WHATSAPP_PHONE_NUMBER_ID: z.string().regex(/^\d+$/, 'must be digits').optional(),
  /** Meta app secret that signs inbound webhooks. */
  WHATSAPP_APP_SECRET: z.string().optional(),
  /** Token of our choice that Meta repeats when the webhook is registered. */
  WHATSAPP_VERIFY_TOKEN: z.string().optional(),
  /** Cloud API base, with its version. */
  WHATSAPP_API_URL: httpUrl.default('https://graph.facebook.com/v26.0'),
  /** Name of the approved template. */
  WHATSAPP_TEMPLATE: z.string().default('confirmar_ubicacion'),
  /** Name of the approved template that tells the PIN of a delivery. Default: none, WhatsApp tells no PIN. */
  WHATSAPP_PIN_TEMPLATE: z.string().optional(),
  /** Language code the templates were approved in. */
  WHATSAPP_TEMPLATE_LANGUAGE: z.string().default('es'),
  /** Stand-in for the map services: https://HOST/PATH is requested as $MAPS_RESOLVER_URL/HOST/PATH. */
  MAPS_RESOLVER_URL: httpUrl.optional(),
  /** Map tiles of the recipient's page, with {z}, {x} and {y}; none for a plain grid. Default: OpenStreetMap's. */
  TILE_URL: z
    .string()
    .refine((text) => text === 'none' || isTileUrl(text), `${TILE_URL_RULE}, or be none`)
    .default(OPENSTREETMAP.url),
  /** Credit line that the tile service asks for; may contain links. Default: OpenStreetMap's with its tiles, else none. */
  TILE_ATTRIBUTION: z.string().optional(),
  /** Satellite images of the recipient's page, with {z}, {x} and {y}; not used with TILE_URL=none. Default: none. */
  TILE_URL_SATELLITE: z.string().refine(isTileUrl, TILE_URL_RULE).optional(),
  /** Credit line of the satellite images. */
  TILE_ATTRIBUTION_SATELLITE: z.string().optional(),
  /**
   * Who may open /admin: name:password or name:password:role, comma-separated; passwords of 12 characters or more; role
   * lectura (read-only), soporte (the default), despacho or admin; each may do what those before it may. Default: one admin in
   * embedded mode, otherwise no /admin.
   */
  BOARD_USERS: z.string().regex(BOARD_USERS_FORM, BOARD_USERS_RULE).transform(toBoardUsers).optional(),
  /** Bearer token for /metrics. Default: none, /metrics answers on loopback only. */
  METRICS_TOKEN: z.string().optional(),
  /** Trusted proxies: false, a hop count, or addresses and CIDR ranges, comma-separated. Default: none, and a warning. */
  TRUST_PROXY: z
    .string()
    .refine(isTrustProxy, 'must be false, a number of hops, or IP addresses and CIDR ranges, comma-separated')
    .transform(toTrustProxy)
    .optional(),
  /** Requests per API key and minute, counted across all processes with REDIS_URL, else per process. Default 600. */
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000_000).default(600),
  /** Messages of each type that is sent unasked (confirmation, PIN) to one number in 24 h, over all merchants. Default 10. */
  MESSAGES_PER_PHONE_PER_DAY: integer(1, 1_000_000).default(10),
  /** Whether webhooks may go to private addresses and over plain http: true or false. Default false. */
  WEBHOOK_ALLOW_PRIVATE: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((text) => text === 'true')
    .default(false),
  /** pino level: fatal, error, warn, info, debug, trace or silent. Default info. */
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  /** Base URL of an OpenTelemetry collector that takes OTLP over HTTP: spans go to /v1/traces. Default: none, no tracing. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  /** Headers of the requests to the collector: name=value, comma-separated, values percent-encoded; the exporter reads them. */
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(HEADERS_FORM, 'must be name=value pairs, comma-separated, with percent-encoded values')
    .optional(),
  /** Name of the service in its spans. Default guias. */
  OTEL_SERVICE_NAME: z.string().default('guias'),
  /** Which traces are kept. Default parentbased_always_on: all, except those whose caller does not sample. */
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, `must be one of ${SAMPLERS.join(', ')}`)
    .default('parentbased_always_on'),
  /** Part of the traces that the traceidratio samplers keep, 0 to 1. Default 1. */
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1),
});

export type Variables = z.output<typeof variables>;

/** Names of all variables, for the documentation's test. */
export const VARIABLE_NAMES = Object.keys(variables.shape);
