import type { DemoKeys } from '../../auth/demo-merchant.js';
import { banner } from './banner.js';
import type { BoardUser } from '../../platform/config/board-users.js';
import { loadConfig } from '../../platform/config/env.js';

const GENERATED: readonly BoardUser[] = [{ name: 'soporte', password: 'hecha', role: 'admin' }];
const BOARD_USERS = 'ana:secreta-larga';

describe('the banner', () => {
  const printed = (env: Record<string, string>, boardUsers = GENERATED, demoKeys?: DemoKeys) => {
    const config = loadConfig({ DATA_DIR: '/srv', ...env });
    return banner(config, 3000, config.boardUsers ?? boardUsers, demoKeys);
  };

  it('shows where the service listens, the generated user of the board and the demo key', () => {
    expect(printed({}, GENERATED, { live: 'gk_live_x', test: 'gk_test_y' })).toBe(`
  Guías is ready

  API         http://localhost:3000/api/v1/guias
  Swagger UI  http://localhost:3000/api/docs
  Panel       http://localhost:3000/panel
  Queue board http://localhost:3000/admin/queues  soporte / hecha
  Support     http://localhost:3000/admin
  Start here  http://localhost:3000/admin/puesta-en-marcha
  Demo key    gk_live_x
  Test key    gk_test_y

`);
  });

  it.each<[where: string, env: Record<string, string>]>([
    ['in production', { NODE_ENV: 'production' }],
    ['beyond loopback', { HOST: '0.0.0.0' }],
    ['on an address of the network', { HOST: '192.0.2.1' }],
  ])('shows the file of the generated password, not the password, %s', (_where, env) => {
    expect(printed(env)).not.toContain('hecha');
    expect(printed(env)).toContain('soporte / password in /srv/board-password');
  });

  it.each<Record<string, string>>([{}, { NODE_ENV: 'production' }])(
    'shows no user of BOARD_USERS (%j)',
    (env) => {
      expect(printed({ BOARD_USERS, ...env })).not.toMatch(/ana|secreta|hecha/);
    },
  );

  it.each<[where: string, env: Record<string, string>, shown: string[]]>([
    ['on this machine', {}, []],
    ['in production', { NODE_ENV: 'production' }, ['MESSAGING_PROVIDER', 'PUBLIC_URL']],
    ['beyond loopback', { HOST: '0.0.0.0', ROLE: 'worker' }, ['MESSAGING_PROVIDER', 'PUBLIC_URL']],
    ['in public', { HOST: '0.0.0.0', PUBLIC_URL: 'https://guias.example.com' }, ['MESSAGING_PROVIDER']],
  ])('has a line for each variable that a live guide needs, %s', (_where, env, shown) => {
    const lines = printed(env)
      .split('\n')
      .filter((line) => /MESSAGING_PROVIDER|PUBLIC_URL/.test(line));
    expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(shown);
  });

  it('shows only the health check for a worker', () => {
    expect(printed({ ROLE: 'worker' })).toMatch(/^\n {2}Guías worker is ready\n\n {2}Health +\S+\n\n$/);
  });
});

describe('a service is local', () => {
  it.each<[isLocal: boolean, env: Record<string, string>]>([
    [true, {}],
    [true, { HOST: 'localhost' }],
    [true, { HOST: '::1' }],
    [true, { HOST: '127.1.2.3', NODE_ENV: 'development' }],
    [false, { NODE_ENV: 'production' }],
    [false, { HOST: '0.0.0.0' }],
    [false, { HOST: '::' }],
    [false, { HOST: '127.example.com' }],
  ])('%s with %j', (isLocal, env) => {
    expect(loadConfig(env).isLocal).toBe(isLocal);
  });
});
