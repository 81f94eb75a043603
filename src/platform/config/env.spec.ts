import { resolve } from 'node:path';
import { BAD, WRONG_FORMS } from '../../../test/support/wrong-variables.js';
import { StartupError } from '../errors/startup-error.js';
import { loadConfig } from './env.js';
import { VARIABLE_NAMES } from './variables.js';

type Environment = Record<string, string>;

const SECRET = 'x'.repeat(32);
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const WEBHOOK = {
  MESSAGING_PROVIDER: 'webhook',
  MESSAGING_WEBHOOK_URL: 'https://example.com/hook',
  MESSAGING_WEBHOOK_SECRET: WEBHOOK_SECRET,
};
const WHATSAPP = {
  ...{ MESSAGING_PROVIDER: 'whatsapp', WHATSAPP_TOKEN: 't', WHATSAPP_PHONE_NUMBER_ID: '123' },
  ...{ WHATSAPP_APP_SECRET: 's', WHATSAPP_VERIFY_TOKEN: 'v' },
};

/** The lines of the StartupError; none when the environment is accepted. */
function faultsOf(environment: Environment): string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(StartupError);
    return (error as StartupError).message.split('\n');
  }
}

const namesOf = (environment: Environment) => faultsOf(environment).map((line) => line.split(':')[0]);

describe('loadConfig', () => {
  it('needs no variable', () => {
    expect(loadConfig({})).toMatchObject({
      ...{ port: 3000, host: '127.0.0.1', publicUrl: undefined, databaseUrl: undefined },
      ...{ dataDir: resolve('.data'), appSecret: undefined, role: 'all', defaultCountry: 'GT' },
      ...{ metricsToken: undefined, trustProxy: undefined, rateLimitPerMinute: 600, logLevel: 'info' },
    });
  });

  it('reads what is set', () => {
    const environment = {
      PORT: '0',
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://Guias.example.com:443/',
      DATABASE_URL: 'postgresql://user:p%40ss@db:5432/guias',
      DATA_DIR: '/srv/guias',
      APP_SECRET: SECRET,
      ROLE: 'worker',
      DEFAULT_COUNTRY: 'MX',
      METRICS_TOKEN: 'm',
      RATE_LIMIT_PER_MINUTE: '1',
      LOG_LEVEL: 'silent',
    };
    expect(loadConfig(environment)).toMatchObject({
      port: 0,
      host: '0.0.0.0',
      publicUrl: 'https://guias.example.com',
      databaseUrl: 'postgresql://user:p%40ss@db:5432/guias',
      dataDir: '/srv/guias',
      appSecret: SECRET,
      role: 'worker',
      defaultCountry: 'MX',
      metricsToken: 'm',
      rateLimitPerMinute: 1,
      logLevel: 'silent',
    });
  });

  describe('takes map tiles', () => {
    const OWN = 'https://tiles.example/{z}/{x}/{y}.png';
    const tilesOf = (environment: Environment) => loadConfig({ APP_SECRET: SECRET, ...environment }).tiles;

    it('of OpenStreetMap, with its credit, unless told otherwise', () => {
      expect(tilesOf({})).toEqual({
        streets: {
          url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
          attribution: expect.stringContaining('https://www.openstreetmap.org/copyright') as string,
        },
        satellite: null,
      });
      expect(tilesOf({ TILE_ATTRIBUTION: 'Mapas' })?.streets.attribution).toBe('Mapas');
    });

    it("of another provider, without OpenStreetMap's credit", () => {
      expect(tilesOf({ TILE_URL: OWN })?.streets).toEqual({ url: OWN, attribution: '' });
    });

    it('but none with TILE_URL=none', () => {
      expect(tilesOf({ TILE_URL: 'none' })).toBeNull();
      expect(tilesOf({ TILE_URL: 'none', TILE_URL_SATELLITE: OWN })).toBeNull();
    });

    it('of satellites beside the streets', () => {
      expect(tilesOf({ TILE_URL_SATELLITE: OWN, TILE_ATTRIBUTION_SATELLITE: '© Fotos' })?.satellite).toEqual({
        url: OWN,
        attribution: '© Fotos',
      });
    });
  });

  it('knows every published variable', () => {
    const promised = [
      ...BAD.map(([name]) => name),
      ...['HOST', 'DATA_DIR', 'METRICS_TOKEN', 'TILE_ATTRIBUTION', 'TILE_ATTRIBUTION_SATELLITE'],
      ...['WHATSAPP_TOKEN', 'WHATSAPP_APP_SECRET', 'WHATSAPP_VERIFY_TOKEN'],
      ...['WHATSAPP_TEMPLATE', 'WHATSAPP_PIN_TEMPLATE', 'WHATSAPP_TEMPLATE_LANGUAGE'],
    ];
    expect(promised.filter((name) => !VARIABLE_NAMES.includes(name))).toEqual([]);
  });

  it.each(BAD)('refuses a bad %s in one line with its name and how to fix it', (name, value) => {
    const faults = faultsOf({ APP_SECRET: SECRET, [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name}: must (be|have|contain) .{5,}`));
  });

  it('lists all bad variables together, and repeats no value', () => {
    const faults = faultsOf(Object.fromEntries(BAD));
    expect(faults.map((line) => line.split(':')[0]).sort()).toEqual(BAD.map(([name]) => name).sort());
    expect(faults.filter((line) => line.includes('mark'))).toEqual([]);
  });

  it.each([...VARIABLE_NAMES])('takes an empty %s as unset', (name) => {
    expect(JSON.stringify(loadConfig({ [name]: '' }))).toBe(JSON.stringify(loadConfig({})));
    expect(JSON.stringify(loadConfig({ [name]: ' \n' }))).toBe(JSON.stringify(loadConfig({})));
  });

  it.each(WRONG_FORMS.flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    'refuses %s=%j',
    (name, value) => {
      expect(namesOf({ APP_SECRET: SECRET, [name]: value })).toEqual([name]);
    },
  );

  it.each(['10.0.0.0/33', '10.0.0.0/99', '::1/129', '10.0.0.0/0', '::/0', '10.0.0.1,10.0.0.0/40'])(
    'refuses TRUST_PROXY %s, which Fastify would stop at',
    (value) => {
      expect(namesOf({ TRUST_PROXY: value })).toEqual(['TRUST_PROXY']);
    },
  );

  it.each<[name: string, value: string]>([
    ['PORT', '65535'],
    ['DATABASE_URL', 'postgres://u:p@h/d?sslmode=require'],
    ['DATABASE_URL', 'postgres:///guias?host=/run/postgresql'],
    ['REDIS_URL', 'rediss://:p@h:6380/1'],
    ['REDIS_URL', 'redis+sentinel://:p@h:26379,i:26379/guias'],
    ['APP_SECRET', 'ñ'.repeat(16)],
    ['MESSAGING_WEBHOOK_SECRET', `whsec_${Buffer.alloc(24).toString('base64')}`],
    ['MESSAGING_WEBHOOK_SECRET', `whsec_${Buffer.alloc(25).toString('base64')}`],
    ['MESSAGING_WEBHOOK_SECRET', `whsec_${Buffer.alloc(64).toString('base64')}`],
    ['BOARD_USERS', 'ana:clave-de-ana,eva:clave-de-eva'],
    ['BOARD_USERS', 'ana:clave-de-ana:lectura,eva:clave-de-eva:soporte,ida:clave-de-ida'],
    ['BOARD_USERS', 'ana:clave-de-ana:despacho,eva:clave-de-eva:admin'],
    ['TILE_URL', 'https://tiles/{z}/{x}/{y}.png'],
    ['TILE_URL', 'none'],
    ['TILE_URL_SATELLITE', 'https://tiles/{z}/{y}/{x}.jpg'],
    ['DEFAULT_COUNTRY', 'CO'],
  ])('takes %s=%s', (name, value) => {
    expect(faultsOf({ APP_SECRET: SECRET, [name]: value })).toEqual([]);
  });

  it.each<[because: string, environment: Environment, missing: string[]]>([
    ['DATABASE_URL', { DATABASE_URL: 'postgres://h/d' }, ['APP_SECRET']],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://h/d', APP_SECRET: ' ' }, ['APP_SECRET']],
    ['DATABASE_READ_URL', { DATABASE_READ_URL: 'postgres://h/d' }, ['DATABASE_URL']],
    [
      'MESSAGING_PROVIDER=webhook',
      { MESSAGING_PROVIDER: 'webhook' },
      ['MESSAGING_WEBHOOK_URL', 'MESSAGING_WEBHOOK_SECRET'],
    ],
    [
      'MESSAGING_PROVIDER=whatsapp',
      { MESSAGING_PROVIDER: 'whatsapp' },
      ['WHATSAPP_TOKEN', 'WHATSAPP_PHONE_NUMBER_ID', 'WHATSAPP_APP_SECRET', 'WHATSAPP_VERIFY_TOKEN'],
    ],
  ])('requires the other variables that %s needs, and says why (%j)', (because, environment, missing) => {
    const faults = faultsOf(environment);
    expect(faults.map((line) => line.split(':')[0])).toEqual(missing);
    expect(faults.filter((line) => !line.includes(`is required with ${because}`))).toEqual([]);
  });

  it.each<[what: string, environment: Environment]>([
    ['a database with its secret', { DATABASE_URL: 'postgres://h/d', APP_SECRET: SECRET }],
    ['webhook', WEBHOOK],
    ['whatsapp', WHATSAPP],
    ['sandbox', { MESSAGING_PROVIDER: 'sandbox' }],
  ])('accepts %s', (_what, environment) => {
    expect(faultsOf(environment)).toEqual([]);
  });

  it('lists missing variables together with bad ones', () => {
    const environment = { DATABASE_URL: 'postgres://h/d', MESSAGING_PROVIDER: 'webhook', PORT: 'x' };
    expect(namesOf(environment).sort()).toEqual([
      'APP_SECRET',
      'MESSAGING_WEBHOOK_SECRET',
      'MESSAGING_WEBHOOK_URL',
      'PORT',
    ]);
  });

  it.each<[text: string, trusted: unknown]>([
    ['false', false],
    ['10.0.0.1', ['10.0.0.1']],
    ['10.0.0.0/8, 192.168.0.0/16,::1', ['10.0.0.0/8', '192.168.0.0/16', '::1']],
    ['fd00::/8', ['fd00::/8']],
  ])('reads TRUST_PROXY %s', (text, trusted) => {
    expect(loadConfig({ TRUST_PROXY: text }).trustProxy).toEqual(trusted);
  });

  it.each([0, 1, 3])('trusts the last %d proxies and none before them', (hops) => {
    const trusts = loadConfig({ TRUST_PROXY: String(hops) }).trustProxy as (
      address: string,
      hop: number,
    ) => boolean;
    expect([0, 1, 2, 3, 4].filter((hop) => trusts('203.0.113.1', hop))).toEqual([0, 1, 2].slice(0, hops));
  });
});
