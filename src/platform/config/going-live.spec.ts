import { loadConfig } from './env.js';
import { missingForLive } from './going-live.js';

describe('a service that goes live', () => {
  const BRIDGE = {
    MESSAGING_PROVIDER: 'webhook',
    MESSAGING_WEBHOOK_URL: 'https://puente.example.com',
    MESSAGING_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
  };
  const PUBLIC = { PUBLIC_URL: 'https://guias.example.com' };
  const PRODUCTION = { NODE_ENV: 'production' };
  const BEYOND = { HOST: '0.0.0.0' };

  it.each<[what: string, env: Record<string, string>, missing: string[]]>([
    ['on this machine alone', {}, []],
    ['on this machine, with a localhost link', { ...BRIDGE, PUBLIC_URL: 'http://localhost:3000' }, []],
    ['in production, with defaults', PRODUCTION, ['MESSAGING_PROVIDER', 'PUBLIC_URL']],
    ['beyond loopback, with defaults', BEYOND, ['MESSAGING_PROVIDER', 'PUBLIC_URL']],
    ['in production, without a provider', { ...PRODUCTION, ...PUBLIC }, ['MESSAGING_PROVIDER']],
    ['beyond loopback, without a provider', { ...BEYOND, ...PUBLIC }, ['MESSAGING_PROVIDER']],
    ['with a provider and no address', { ...PRODUCTION, ...BRIDGE }, ['PUBLIC_URL']],
    ['with all that it needs', { ...PRODUCTION, ...BRIDGE, ...PUBLIC }, []],
    ['with all that it needs, beyond loopback', { ...BEYOND, ...BRIDGE, ...PUBLIC }, []],
  ])('%s', (_, env, missing) => {
    expect(missingForLive(loadConfig(env))).toEqual(missing);
  });

  it.each<[url: string, isMissing: boolean]>([
    ['http://localhost', true],
    ['https://LOCALHOST:8443', true],
    ['http://localhost.', true],
    ['http://guias.localhost:3000', true],
    ['http://127.0.0.1:3000', true],
    ['http://127.1', true],
    ['http://0.0.0.0:3000', true],
    ['http://[::1]:3000', true],
    ['http://[::]', true],
    ['https://localhost.example.com', false],
    ['https://milocalhost.com', false],
    ['http://192.168.1.7:3000', false],
    ['https://127.example.com', false],
  ])('whose PUBLIC_URL is %s: recipients cannot open it: %s', (PUBLIC_URL, isMissing) => {
    const missing = missingForLive(loadConfig({ ...PRODUCTION, ...BRIDGE, PUBLIC_URL }));
    expect(missing).toEqual(isMissing ? ['PUBLIC_URL'] : []);
  });
});
