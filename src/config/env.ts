import { isIP, isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import { isSupportedCountry, type CountryCode } from 'libphonenumber-js';
import { z } from 'zod';
import { parseUrl } from '../validation/parse-url.js';
import { readWebhookSecret, WEBHOOK_SECRET_RULE } from '../validation/webhook-secret.js';
import { StartupError } from '../errors/startup-error.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

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

/** The standard tiles of OpenStreetMap, whose terms ask for this credit and for a referrer. */
const OPENSTREETMAP = {
  url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  attribution: '© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a>',
};

const TILE_URL_RULE = 'must contain {z}, {x} and {y}';

function isTileUrl(text: string): boolean {
  return ['{z}', '{x}', '{y}'].every((part) => text.includes(part));
}

/**
 * Every environment variable of the service: format, default and meaning.
 * An empty value counts as unset (Compose passes `${NAME:-}` as an empty string).
 */
const variables = z.object({
  /** TCP port the API listens on, 0–65535; 0 takes a free one. Default 3000. */
  PORT: integer(0, 65_535).default(3000),
  /** Address the API listens on. Default 127.0.0.1; the container image sets 0.0.0.0. */
  HOST: z.string().default('127.0.0.1'),
  /** Base of the links sent to recipients. Default: http://localhost:PORT. */
  PUBLIC_URL: httpUrl.optional(),
  /** postgres://… Default: none, an embedded PostgreSQL in DATA_DIR. */
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  /**
   * postgres://… of the owner of the tables, who migrates them; the role in DATABASE_URL is then created if there is
   * none, and may only read and write data. Default: DATABASE_URL, whose role owns the tables.
   */
  MIGRATION_DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  /** redis://… Default: none; the queues live in PostgreSQL, and each process counts requests by itself. */
  REDIS_URL: url('redis:', 'rediss:').optional(),
  /** Folder of the embedded PostgreSQL and of the generated secrets. Default .data. */
  DATA_DIR: z.string().default('.data'),
  /** Root of every derived key, at least 32 bytes. Default: generated into DATA_DIR in embedded mode. */
  APP_SECRET: z
    .string()
    .refine(
      (text) => Buffer.byteLength(text) >= 32,
      'must have at least 32 bytes (try: openssl rand -base64 48)',
    )
    .optional(),
  /** `production`: makes no demo merchant and prints no password. Default: none. */
  NODE_ENV: z.string().optional(),
  /** What this process does: api, worker or all. Default all. */
  ROLE: z.enum(['api', 'worker', 'all'], 'must be api, worker or all').default('all'),
  /** ISO 3166 country of local phone numbers where the merchant names none. Default GT. */
  DEFAULT_COUNTRY: z
    .string()
    .refine(
      (text): text is CountryCode => isSupportedCountry(text),
      'must be an ISO 3166 country code in capitals, like GT',
    )
    .default('GT'),
  /** How recipients are messaged: sandbox (kept, not sent), webhook or whatsapp. Default sandbox. */
  MESSAGING_PROVIDER: z
    .enum(['sandbox', 'webhook', 'whatsapp'], 'must be sandbox, webhook or whatsapp')
    .default('sandbox'),
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
  /** Language code the template was approved in. */
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
   * soporte (the default) or lectura, which only looks. Default: one user in embedded mode, else no /admin.
   */
  BOARD_USERS: z
    .string()
    .regex(
      /^[^:,\s]+:[^:,\s]{12,}(:(soporte|lectura))?(,[^:,\s]+:[^:,\s]{12,}(:(soporte|lectura))?)*$/,
      'must be name:password or name:password:role, comma-separated, without spaces, with passwords of 12 characters or more (try: openssl rand -hex 12); role is soporte or lectura',
    )
    .transform(toBoardUsers)
    .optional(),
  /** Bearer token for /metrics. Default: none, /metrics answers on loopback only. */
  METRICS_TOKEN: z.string().optional(),
  /** Trusted proxies: false, a hop count, or addresses and CIDR ranges, comma-separated. Default: none, and a warning. */
  TRUST_PROXY: z
    .string()
    .refine(isTrustProxy, 'must be false, a number of hops, or IP addresses and CIDR ranges, comma-separated')
    .transform(toTrustProxy)
    .optional(),
  /** Requests per API key and minute: of all processes with REDIS_URL, else of each. Default 600. */
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000_000).default(600),
  /** Confirmation messages to one number in 24 h, over all merchants. Default 10. */
  MESSAGES_PER_PHONE_PER_DAY: integer(1, 1_000_000).default(10),
  /** Whether webhooks may go to private addresses and over plain http: true or false. Default false. */
  WEBHOOK_ALLOW_PRIVATE: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((text) => text === 'true')
    .default(false),
  /** pino level: fatal, error, warn, info, debug, trace or silent. Default info. */
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
});

type Variables = z.output<typeof variables>;

/** Names of all variables, for the documentation's test. */
export const VARIABLE_NAMES = Object.keys(variables.shape);

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

function isTrustProxy(text: string): boolean {
  if (/^(false|\d{1,3})$/.test(text)) return true;
  return text.split(',').every((part) => {
    const [address = '', bits, ...rest] = part.trim().split('/');
    const width = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
    const isRange =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= width);
    return width > 0 && rest.length === 0 && isRange;
  });
}

/** Fastify's `trustProxy`; a number of hops becomes a function of the hop. */
type TrustProxy = false | string[] | ((address: string, hop: number) => boolean);

function toTrustProxy(text: string): TrustProxy {
  if (text === 'false') return false;
  if (/^\d+$/.test(text)) return (_address, hop) => hop < Number(text);
  return text.split(',').map((part) => part.trim());
}

/** One line for each variable that another setting makes required and that is not set. */
function missingTogether(set: Record<string, string | undefined>): string[] {
  const needs: [because: string, applies: boolean, names: string[]][] = [
    ['DATABASE_URL', set.DATABASE_URL !== undefined, ['APP_SECRET']],
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

/** Credentials and settings of WhatsApp's Cloud API and its webhooks. */
export interface WhatsappConfig {
  readonly token: string;
  readonly phoneNumberId: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly apiUrl: string;
  readonly template: string;
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
    templateLanguage: read.WHATSAPP_TEMPLATE_LANGUAGE,
  };
}

/** One kind of map tiles. */
export interface Tiles {
  /** With {z}, {x} and {y}. */
  readonly url: string;
  /** Credit line; may contain links, or be empty. */
  readonly attribution: string;
}

/** The map tiles of the recipient's page. */
export interface MapTiles {
  readonly streets: Tiles;
  readonly satellite: Tiles | null;
}

function tiles(read: Variables): MapTiles | null {
  const { TILE_URL: url, TILE_URL_SATELLITE: satellite } = read;
  if (url === 'none') return null;
  const attribution = read.TILE_ATTRIBUTION ?? (url === OPENSTREETMAP.url ? OPENSTREETMAP.attribution : '');
  return {
    streets: { url, attribution },
    satellite:
      satellite === undefined ? null : { url: satellite, attribution: read.TILE_ATTRIBUTION_SATELLITE ?? '' },
  };
}

/** A user of `/admin`. */
export interface BoardUser {
  readonly name: string;
  readonly password: string;
  /** `soporte` looks and acts; `lectura` only looks. */
  readonly role: 'soporte' | 'lectura';
}

function toBoardUsers(list: string): readonly BoardUser[] {
  return list.split(',').map((user) => {
    const [name, password, role] = user.split(':');
    return { name: name!, password: password!, role: role === 'lectura' ? 'lectura' : 'soporte' };
  });
}

/** The service's settings, read once at start. */
export class Config {
  readonly port = this.read.PORT;
  readonly host = this.read.HOST;
  /** Whether only this machine reaches the service, outside production. */
  readonly isLocal = isLoopback(this.read.HOST) && this.read.NODE_ENV !== 'production';
  readonly publicUrl = this.read.PUBLIC_URL;
  readonly databaseUrl = this.read.DATABASE_URL;
  readonly migrationDatabaseUrl = this.read.MIGRATION_DATABASE_URL;
  readonly dataDir = resolve(this.read.DATA_DIR);
  readonly appSecret = this.read.APP_SECRET;
  readonly role = this.read.ROLE;
  readonly defaultCountry = this.read.DEFAULT_COUNTRY;
  readonly redisUrl = this.read.REDIS_URL;
  readonly messagingProvider = this.read.MESSAGING_PROVIDER;
  /** Set whenever both of its variables are, also while another provider is configured. */
  readonly messagingWebhook = messagingWebhook(this.read);
  /** Set whenever its four required variables are. */
  readonly whatsapp = whatsapp(this.read);
  /** Stands in for the map services; has no trailing slash. */
  readonly mapsResolverUrl = this.read.MAPS_RESOLVER_URL;
  /** Null for a plain grid. */
  readonly tiles = tiles(this.read);
  /** Undefined where BOARD_USERS is not set. */
  readonly boardUsers = this.read.BOARD_USERS;
  readonly metricsToken = this.read.METRICS_TOKEN;
  /** Undefined where TRUST_PROXY is not set. */
  readonly trustProxy = this.read.TRUST_PROXY;
  readonly rateLimitPerMinute = this.read.RATE_LIMIT_PER_MINUTE;
  readonly messagesPerPhonePerDay = this.read.MESSAGES_PER_PHONE_PER_DAY;
  /** Whether merchants' webhooks may go to private addresses and over plain http. */
  readonly webhookAllowPrivate = this.read.WEBHOOK_ALLOW_PRIVATE;
  readonly logLevel = this.read.LOG_LEVEL;

  constructor(private readonly read: Variables) {}
}

/**
 * Reads the environment; the only reader of `process.env`.
 * @throws StartupError with one line per fault: the variable's name and how to fix it, never its value.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(
    VARIABLE_NAMES.map((name) => [name, environment[name]?.trim() || undefined] as const),
  );
  const read = variables.safeParse(set);
  const faults = [
    ...(read.error?.issues ?? []).map((issue) => `${String(issue.path[0])}: ${issue.message}`),
    ...missingTogether(set),
  ];
  if (!read.success || faults.length > 0) throw new StartupError(faults.join('\n'));
  return new Config(read.data);
}
