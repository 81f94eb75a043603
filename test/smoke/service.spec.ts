import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase, withAdmin, type TestDatabase } from '../support/database.js';
import { createGuia, guias, runNode, signalled, useServices } from '../support/service-process.js';
import { APP_SECRET } from '../support/test-app.js';

/** The built service as `npm start` runs it: other processes, ESM, an embedded PostgreSQL of its own. */
describe('the built service', () => {
  const { newFolder, start } = useServices();

  it('writes the OpenAPI document with npm run openapi, the same that is committed', () => {
    const out = join(newFolder(), 'openapi.json');
    const root = join(import.meta.dirname, '../..');
    expect(spawnSync('npm', ['run', '-s', 'openapi', '--', '--out', out], { cwd: root }).status).toBe(0);
    expect(readFileSync(out, 'utf8')).toBe(readFileSync(join(root, 'openapi.json'), 'utf8'));
  }, 30_000);

  it('outlives whoever read its output', async () => {
    const service = await start({ DATA_DIR: newFolder() });
    service.child.stdout!.destroy();
    for (let i = 0; i < 3; i++) expect((await fetch(`${service.url}/livez`)).status).toBe(200);
    expect((await service.stop()).code).toBe(0);
  }, 30_000);

  it('shares database and demo key with another that starts at once on the same empty folder', async () => {
    const env = { DATA_DIR: newFolder() };
    const [one, other] = await Promise.all([start(env), start(env)]);
    expect(other.demoKey).toBe(one.demoKey);
    expect((await createGuia(one, one.demoKey!, { external_ref: 'a' })).status).toBe(201);
    expect((await one.stop()).code).toBe(0);
    expect((await createGuia(other, one.demoKey!, { external_ref: 'a' })).status).toBe(200);
    expect((await guias(['merchants', 'list'], env)).merchants).toHaveLength(1);
    expect((await other.stop()).code).toBe(0);
  }, 60_000);

  it('keeps its secrets to itself: files of mode 0600', async () => {
    const folder = newFolder();
    const service = await start({ DATA_DIR: folder });
    await service.stop('SIGINT');
    const secrets = ['app-secret', 'demo-key', 'postgres-password'];
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(secrets));
    for (const name of secrets) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  }, 30_000);

  it('takes operator commands while it runs and while it is stopped; a new key works at once, a revoked one stops', async () => {
    const env = { DATA_DIR: newFolder() };
    const stopped = await guias(['merchants', 'create', '--name', 'Tienda', '--country', 'SV'], env);
    expect(stopped).toEqual({ merchant_id: expect.any(String), name: 'Tienda', country: 'SV' });

    const service = await start(env);
    const key = await guias(['keys', 'create', '--merchant', stopped.merchant_id, '--label', 'caja'], env);
    expect(key).toEqual({
      key_id: expect.any(String),
      api_key: expect.stringMatching(/^gk_live_/),
      prefix: expect.any(String),
    });
    const made = await createGuia(service, key.api_key, { telefono: '7000 1234' });
    expect(made.status).toBe(201);

    const brief = await guias(
      ['keys', 'create', '--merchant', stopped.merchant_id, '--expires', '2099-01-31'],
      env,
    );
    const next = await guias(['keys', 'rotate', brief.key_id], env);
    const listed = await guias(['keys', 'list', '--merchant', stopped.merchant_id], env);
    expect(listed.keys.find((one: { key_id: string }) => one.key_id === next.key_id).expires).toBe(
      '2099-01-31T23:59:59.999Z',
    );

    const rotated = await guias(['keys', 'rotate', key.key_id, '--overlap', '1h'], env);
    expect((await createGuia(service, rotated.api_key)).status).toBe(201);
    expect((await createGuia(service, key.api_key)).status).toBe(201);
    await guias(['keys', 'revoke', key.key_id], env);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect((await createGuia(service, key.api_key)).status).toBe(401);
    expect((await createGuia(service, rotated.api_key)).status).toBe(201);

    const { keys } = await guias(['keys', 'list', '--merchant', stopped.merchant_id], env);
    expect(keys).toHaveLength(4);
    expect(JSON.stringify(keys)).not.toContain(key.api_key);
    const { merchants } = await guias(['merchants', 'list'], env);
    expect(merchants.map((merchant: { name: string }) => merchant.name)).toContain('Tienda');
    expect(await guias(['migrate'], env)).toEqual({ applied: [] });
    expect((await service.stop()).code).toBe(0);
  }, 90_000);

  it.each([
    [
      'a merchant that does not exist',
      ['keys', 'create', '--merchant', '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57'],
    ],
    ['a key that does not exist', ['keys', 'revoke', 'x']],
    ['a key of nobody', ['keys', 'create', '--scopes', 'operaciones']],
    ['a missing option', ['merchants', 'create']],
    ['a country that does not exist', ['merchants', 'create', '--name', 'x', '--country', 'XX']],
    ['an unknown command', ['merchants', 'remove']],
    ['half a command', ['keys']],
  ])(
    'refuses %s in one line on standard error and exit 1',
    async (_, args) => {
      const { code, stdout, stderr } = await runNode('cli.js', [...args, '--json'], { DATA_DIR: shared() });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).not.toContain('    at ');
    },
    30_000,
  );
  let sharedFolder: string | undefined;
  const shared = () => (sharedFolder ??= newFolder());

  describe('that cannot start says why in one line each, without a stack, and exits with 1', () => {
    let taken: Server;
    let guest: TestDatabase;
    beforeAll(async () => {
      guest = await createTestDatabase('template0');
      await guest.query("create role guest login password 'guest'");
      taken = createServer();
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    });
    afterAll(async () => {
      taken.close();
      await guest.drop();
      await withAdmin((client) => client.query('drop role guest'));
    });
    const port = () => String((taken.address() as { port: number }).port);

    it.each([
      ['a taken port', () => ({ DATA_DIR: newFolder(), PORT: port() }), [/^PORT: \d+ is taken/]],
      [
        'bad variables, all of them',
        () => ({ PORT: 'x', ROLE: 'boss', DATABASE_URL: 'postgres://u:geheim@h/d' }),
        [/^PORT: /, /^ROLE: /, /^APP_SECRET: /],
      ],
      ['a data folder that is a file', () => ({ DATA_DIR: aFile() }), [/^DATA_DIR: .*/]],
      [
        'a database whose user may not make tables',
        () => ({ DATABASE_URL: guestUrl(), APP_SECRET }),
        [/^DATABASE_URL: its user may not/],
      ],
      [
        'a database that is not there',
        () => ({ DATABASE_URL: 'postgres://u:geheim@127.0.0.1:1/d', APP_SECRET }),
        [/^DATABASE_URL: /],
      ],
    ])(
      '%s',
      async (_, env, lines) => {
        const { code, stderr } = await runNode('main.js', [], { PORT: '0', ...env() });
        expect(code).toBe(1);
        expect(stderr.trim().split('\n')).toEqual(lines.map((line) => expect.stringMatching(line)));
        expect(stderr).not.toContain('geheim');
      },
      30_000,
    );

    const guestUrl = () => guest.url.replace(/\/\/[^@]*@/, '//guest:guest@');
    const aFile = () => {
      const file = join(newFolder(), 'file');
      writeFileSync(file, '');
      return file;
    };
  });

  describe('on a PostgreSQL of its own', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createTestDatabase();
    });
    afterAll(() => database.drop());
    const env = () => ({ DATABASE_URL: database.url, APP_SECRET });

    it('finishes the request in flight after SIGTERM, not ready meanwhile, then exits with 0', async () => {
      const { merchant_id } = await guias(['merchants', 'create', '--name', 'Tienda'], env());
      const { api_key } = await guias(['keys', 'create', '--merchant', merchant_id], env());
      const service = await start({ ...env(), ROLE: 'api' });
      expect((await createGuia(service, api_key)).status).toBe(201);

      const blocker = new pg.Client({ connectionString: database.url });
      await blocker.connect();
      await blocker.query('begin; lock table guias in exclusive mode');
      const slow = createGuia(service, api_key);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const ended = service.stop('SIGTERM');
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
      expect((await fetch(`${service.url}/livez`)).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 1_900));
      await blocker.query('commit');
      await blocker.end();
      expect((await slow).status).toBe(201);
      const { code, ms } = await ended;
      expect(code).toBe(0);
      expect(ms).toBeLessThan(10_000);
    }, 60_000);

    it.each([800, 1_500])(
      'exits with 0 on SIGTERM %d ms into its start',
      async (ms) => {
        expect(await signalled('main.js', ms, env())).toBe(0);
      },
      30_000,
    );

    it('exits with 0 within 10 s of SIGTERM also while another process migrates', async () => {
      const migrating = new pg.Client({ connectionString: database.url });
      await migrating.connect();
      await migrating.query('select pg_advisory_lock($1)', [0x6775696173]);
      expect(await signalled('main.js', 2_000, env())).toBe(0);
      await migrating.end();
    }, 12_500);

    it('ends at once on a second signal', async () => {
      const service = await start(env());
      const ended = service.stop('SIGTERM');
      await new Promise((resolve) => setTimeout(resolve, 500));
      service.child.kill('SIGTERM');
      const { code, ms } = await ended;
      expect(code).toBe(1);
      expect(ms).toBeLessThan(1_500);
    }, 30_000);

    it('as a worker answers health checks alone, and runs without them where the port is taken', async () => {
      const first = await start({ ...env(), ROLE: 'worker' });
      expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
      expect((await fetch(`${first.url}/api/v1/guias`)).status).toBe(404);
      expect((await first.stop()).code).toBe(0);
    }, 30_000);
  });
});
