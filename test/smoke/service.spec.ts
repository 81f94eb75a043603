import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findServer } from '../../src/platform/database/embedded-postgres/postmaster-pid.js';
import { withClient } from '../support/database.js';
import { copyDataDir } from '../support/data-dir.js';
import { eventually } from '../support/eventually.js';
import { APP_SECRET, guiaBody } from '../support/guia-body.js';
import { insertMerchant } from '../support/merchant-rows.js';
import { NODE_RELEASES, OTHER_NODE_RELEASES } from '../support/node-releases.js';
import { useOperatorCommands } from '../support/operator-commands.js';
import {
  createGuia,
  ROOT,
  runNode,
  stopDuringStart,
  useServices,
  type ServiceProcess,
} from '../support/service-process.js';
import { unlessMissing } from '../support/skipping.js';
import { useDatabase } from '../support/use.js';

/** What precedes the link in a message. */
const LINK = 'confirma aquí dónde entregarlo:';

/** In a shell, what repeats a command until its output has the link. */
const UNTIL_LINK = `until_link() { until out=$(guias "$@") && echo "$out" | grep -q "${LINK}"; do :; done; echo "$out"; }`;

/** What a shell may have for other programs; each of them once kept the embedded server from working. */
const LIBPQ = {
  PGHOST: '192.0.2.1',
  PGPORT: '1',
  PGUSER: 'otro',
  PGDATABASE: 'otra',
  PGPASSWORD: 'otra',
  PGSSLMODE: 'require',
  PGSSLNEGOTIATION: 'direct',
  PGOPTIONS: '-c search_path=x -c default_transaction_read_only=on',
  PGREPLICATION: 'database',
  PGCLIENT_ENCODING: 'LATIN1',
  PGSERVICE: 'otro',
  PGAPPNAME: 'otro',
};

/** What another release may break; this one alone on a machine without them. */
const RELEASES = OTHER_NODE_RELEASES.length > 0 ? OTHER_NODE_RELEASES : NODE_RELEASES;

/** An answer without the values that differ from run to run. */
function shape(answer: unknown): unknown {
  const varying = ['guia', 'id', 'instance', 'creada_en', 'actualizada_en'];
  return JSON.parse(
    JSON.stringify(answer, (key, value) =>
      varying.includes(key) && typeof value === 'string' ? typeof value : value,
    ),
  );
}

const statusOf = async (service: ServiceProcess, path: string) =>
  (await fetch(`${service.url}${path}`)).status;

/** The built service as `npm start` runs it: other processes, ESM, an embedded PostgreSQL of its own. */
describe('the built service', () => {
  const { newFolder, start } = useServices();
  const { run, guias, serve } = useOperatorCommands();

  it('writes the committed OpenAPI document', async () => {
    const out = join(newFolder(), 'openapi.json');
    expect(await run(['openapi', '--out', out], {})).toMatchObject({ code: 0 });
    expect(readFileSync(out, 'utf8')).toBe(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
  });

  /** From nothing but Node to a frozen PostgreSQL: each start is on what the one before has left. */
  describe('on one folder', () => {
    let folder: string;
    let DATA_DIR: string;
    let one: ServiceProcess;
    let other: ServiceProcess;
    beforeAll(async () => {
      folder = newFolder();
      DATA_DIR = join(folder, '.data');
      [one, other] = await Promise.all([start({ DATA_DIR }), start({ DATA_DIR })]);
    });

    const hasCurl = spawnSync('curl', ['--version']).status === 0;
    unlessMissing(it, hasCurl ? undefined : 'no curl')(
      `answers the README's own commands as printed there`,
      async () => {
        const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
        const tour = readme.split('## A tour')[1]!.split(/^## /m)[0]!;
        const blocks = [...tour.matchAll(/```(sh|json)\n([\s\S]*?)```/g)].map(([, language, text]) => ({
          language,
          text: text!,
        }));
        const commands = blocks.filter((block) => block.language === 'sh').map((block) => block.text);
        const printed = blocks
          .filter((block) => block.language === 'json')
          .map((block) => JSON.parse(block.text));
        // The second answer shown is that of the first command sent again.
        const script = [commands[0], commands[0]!.replace(/^KEY=.*$/m, ''), ...commands.slice(1)].join(
          '\necho\n',
        );
        const here = script
          .replaceAll('http://localhost:3000', one.url)
          .replaceAll('npm run -s guias --', 'until_link');
        const prepared = `${await serve({ DATA_DIR })}\n${UNTIL_LINK}\n${here}`;
        const { stdout } = await promisify(execFile)('sh', ['-ec', prepared], { cwd: folder });
        const answers = stdout.split('\n').filter((line) => line.startsWith('{'));
        expect(answers.slice(0, printed.length).map((line) => shape(JSON.parse(line)))).toEqual(
          printed.map(shape),
        );
        expect(readFileSync(join(folder, 'etiqueta.pdf'), 'latin1')).toMatch(/^%PDF-/);
        const link = new RegExp(`${LINK} (\\S+)`).exec(stdout)![1]!;
        expect((await fetch(link)).status).toBe(200);
      },
    );

    it('started twice at once shares one database, one demo merchant and its keys', async () => {
      expect([other.demoKey, other.testKey]).toEqual([one.demoKey, one.testKey]);
      expect((await createGuia(one, one.demoKey!, { external_ref: 'a' })).status).toBe(201);
      expect((await createGuia(other, one.demoKey!, { external_ref: 'a' })).status).toBe(200);
      const trial = await createGuia(one, one.testKey!, { external_ref: 'a' });
      expect([trial.status, trial.headers.get('guias-modo')]).toEqual([201, 'prueba']);
      expect((await guias(['merchants', 'list'], { DATA_DIR })).merchants).toHaveLength(1);
    });

    it('keeps its secrets in files of mode 0600', () => {
      const secrets = ['app-secret', 'demo-key', 'demo-test-key', 'postgres-password'];
      expect(readdirSync(DATA_DIR)).toEqual(expect.arrayContaining(secrets));
      for (const name of secrets) expect(statSync(join(DATA_DIR, name)).mode & 0o777).toBe(0o600);
    });

    it('keeps running when its output is no longer read, and ends with 0 on SIGINT, while another goes on', async () => {
      one.child.stdout!.destroy();
      for (let i = 0; i < 3; i++) expect(await statusOf(one, '/livez')).toBe(200);
      expect((await one.stop('SIGINT')).code).toBe(0);
      expect((await createGuia(other, one.demoKey!, { external_ref: 'a' })).status).toBe(200);
      await other.stop('SIGKILL');
    });

    it.each(RELEASES.map(({ release, path }, n) => [n === 0 ? 'kill -9' : 'a stop', release, path]))(
      "keeps guides and keys over %s, obeys commands and stops with 0, on %s and with libpq's variables",
      async (_, __, node) => {
        const env = { DATA_DIR, ...LIBPQ };
        const next = await start(env, undefined, node);
        expect([next.demoKey, next.testKey]).toEqual([one.demoKey, one.testKey]);
        expect((await createGuia(next, one.demoKey!, { external_ref: 'a' })).status).toBe(200);
        const { code, stdout } = await runNode('cli.js', ['merchants', 'list', '--json'], env, node);
        expect(code).toBe(0);
        expect((JSON.parse(stdout) as { merchants: unknown[] }).merchants).toHaveLength(1);
        // At last also where PostgreSQL is frozen, which ends, too.
        const { pid } = findServer(join(DATA_DIR, 'postgres'))!;
        if (node === RELEASES.at(-1)!.path) process.kill(pid, 'SIGSTOP');
        expect((await next.stop('SIGTERM')).code).toBe(0);
        await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
      },
    );
  });

  describe('has operator commands that', () => {
    let env: Record<string, string>;
    let merchant: { merchant_id: string };
    let service: ServiceProcess;
    beforeAll(async () => {
      env = { DATA_DIR: copyDataDir(newFolder()), NODE_ENV: 'production' };
      merchant = await guias(['merchants', 'create', '--name', 'Tienda', '--country', 'SV'], env);
      service = await start(env);
    });

    const keys = (...args: string[]) => guias(['keys', ...args], env);
    const reads = async (key: string) =>
      (await fetch(`${service.url}/api/v1/guias?limit=1`, { headers: { authorization: `Bearer ${key}` } }))
        .status;
    const keysOfMerchant = async () => (await keys('list', '--merchant', merchant.merchant_id)).keys;

    it('work before the first start', () => {
      expect(merchant).toEqual({
        merchant_id: expect.any(String),
        name: 'Tienda',
        country: 'SV',
        currency: 'USD',
      });
    });

    it('work while it runs: a new key is valid at once, and a revoked one is rejected', async () => {
      const key = await keys('create', '--merchant', merchant.merchant_id, '--label', 'caja');
      expect(key).toEqual({
        key_id: expect.any(String),
        api_key: expect.stringMatching(/^gk_live_/),
        prefix: expect.any(String),
      });
      const made = await createGuia(service, key.api_key, { telefono: '7000 1234' });
      expect(made.status).toBe(201);

      const rotated = await keys('rotate', key.key_id, '--overlap', '1h');
      expect((await createGuia(service, rotated.api_key)).status).toBe(201);
      expect((await createGuia(service, key.api_key)).status).toBe(201);
      await keys('revoke', key.key_id);
      await eventually(async () => expect(await reads(key.api_key)).toBe(401));
      expect((await createGuia(service, key.api_key)).status).toBe(401);
      expect((await createGuia(service, rotated.api_key)).status).toBe(201);
      expect(JSON.stringify(await keysOfMerchant())).not.toContain(key.api_key);
    });

    it('give a rotated key the same expiry', async () => {
      const brief = await keys('create', '--merchant', merchant.merchant_id, '--expires', '2099-01-31');
      const next = await keys('rotate', brief.key_id);
      const listed = await keysOfMerchant();
      expect(listed).toHaveLength(4);
      expect(listed.find((one: { key_id: string }) => one.key_id === next.key_id).expires).toBe(
        '2099-01-31T23:59:59.999Z',
      );
    });

    it('list no demo merchant in production, whose service prints no key and no password', async () => {
      const { merchants } = await guias(['merchants', 'list'], env);
      expect(merchants).toEqual([merchant]);
      expect(service.demoKey).toBeUndefined();
      const password = readFileSync(join(env.DATA_DIR!, 'board-password'), 'utf8').trim();
      expect(service.output()).not.toContain(password);
    });

    it('run migrate again on a migrated database without changes', async () => {
      expect(await guias(['migrate'], env)).toEqual({ applied: [] });
    });

    it.each([
      [
        'a merchant that does not exist',
        ['keys', 'create', '--merchant', '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57'],
      ],
      ['a key that does not exist', ['keys', 'revoke', 'x']],
      ['a key of nobody', ['keys', 'create', '--scopes', 'operaciones']],
      ['a missing option', ['merchants', 'create']],
      ['a country that does not exist', ['merchants', 'create', '--name', 'x', '--country', 'XX']],
      ['a currency that does not exist', ['merchants', 'create', '--name', 'x', '--currency', 'XQQ']],
      ['an unknown command', ['merchants', 'remove']],
      ['half a command', ['keys']],
      ['a missing argument', ['keys', 'revoke']],
      ['one argument too many', ['backup', 'a', 'b']],
      ['a date that does not exist', ['keys', 'create', '--operator', 'x', '--expires', '2026-02-30']],
    ])('refuse %s in one line on standard error and exit 1', async (_, args) => {
      const { code, stdout, stderr } = await run([...args, '--json'], env);
      expect(stderr).toMatch(/--help to see what|see: |name one of|write |scope/);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).not.toContain('    at ');
    });

    it('print their version', async () => {
      const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
      expect(await run(['--version'], env)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    });

    it('fail in a separate process as in a shared one', async () => {
      const args = ['keys', 'list', '--operator', 'Nadie'];
      expect(await runNode('cli.js', args, env)).toEqual(await run(args, env));
    });
  });

  describe('with DATABASE_URL', () => {
    const database = useDatabase();
    const env = () => ({ DATABASE_URL: database.url, APP_SECRET });

    const someoneWaitsForAnAdvisoryLock = () =>
      eventually(async () => {
        const text = `select 1 from pg_locks where not granted and locktype = 'advisory'
          and database = (select oid from pg_database where datname = current_database())`;
        expect(await database.query(text)).not.toEqual([]);
      });

    it('finishes the request in flight after SIGTERM, not ready meanwhile, then exits with 0', async () => {
      const key = await insertMerchant(database);
      const service = await start({ ...env(), ROLE: 'api' });
      expect((await createGuia(service, key)).status).toBe(201);

      const creating = request(`${service.url}/api/v1/guias`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          expect: '100-continue',
        },
      });
      const answered = once(creating, 'response');
      creating.flushHeaders();
      await once(creating, 'continue');
      const stopping = service.stop('SIGTERM');
      await eventually(async () => expect(await statusOf(service, '/readyz')).toBe(503));
      expect(await statusOf(service, '/livez')).toBe(200);
      // Until the service takes no more connections, and waits for its last request.
      await eventually(() => expect(statusOf(service, '/livez')).rejects.toThrow());
      creating.end(JSON.stringify(guiaBody()));
      const [inFlight] = (await answered) as [IncomingMessage];
      inFlight.resume();
      expect(inFlight.statusCode).toBe(201);
      expect((await stopping).code).toBe(0);
    });

    unlessMissing(it, existsSync('/proc/self/status') ? undefined : 'no /proc')(
      'exits with 0 on SIGTERM from the moment it handles signals',
      async () => {
        expect(await stopDuringStart(env(), handlesSignals)).toBe(0);
      },
    );

    it('exits with 0 on SIGTERM while another process migrates, without waiting for it', async () => {
      await withClient(database.url, async (migrating) => {
        await migrating.query('select pg_advisory_lock($1)', [0x6775696173]);
        expect(await stopDuringStart(env(), someoneWaitsForAnAdvisoryLock)).toBe(0);
      });
    });

    describe('as a worker', () => {
      let worker: ServiceProcess;
      beforeAll(async () => {
        worker = await start({ ...env(), ROLE: 'worker' });
      });

      it('answers health checks alone', async () => {
        expect(await statusOf(worker, '/readyz')).toBe(200);
        expect(await statusOf(worker, '/api/v1/guias')).toBe(404);
      });

      it('works without them where its port is taken', async () => {
        const port = new URL(worker.url).port;
        const portless = await start({ ...env(), ROLE: 'worker', PORT: port }, /runs without \/livez/);
        expect((await portless.stop()).code).toBe(0);
      });

      it('ends at once on a second signal', async () => {
        const ended = worker.stop('SIGTERM');
        // Those within 250 ms count as one.
        const again = setInterval(() => worker.child.kill('SIGTERM'), 100);
        const { code } = await ended;
        clearInterval(again);
        expect(code).toBe(1);
        expect(worker.output()).not.toContain('shutdown time limit exceeded');
      });
    });
  });
});

/**
 * Resolves once a process handles signals: SIGHUP, the lowest bit of the mask, is the last it gets a handler for.
 * SIGTERM says nothing: Node itself catches it.
 */
function handlesSignals(pid: number): Promise<void> {
  return eventually(() => {
    const [, caught] = /^SigCgt:\s+(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
    expect(BigInt(`0x${caught!}`) & 1n).toBe(1n);
  });
}
