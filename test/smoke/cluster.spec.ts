import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:http';
import { join } from 'node:path';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { findServer } from '../../src/database/embedded-postgres/postmaster-pid.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { APP_SECRET, guiaBody } from '../support/guia-body.js';
import { startHttpStub, type HttpStub } from '../support/http-stub.js';
import { insertMerchant } from '../support/merchant-rows.js';
import { runNode, stopDuringStart, useServices, type ServiceProcess } from '../support/service-process.js';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

interface Answer {
  status: number;
  text: string;
}

/** A request on a connection of its own, which any of the processes may get. */
function send(service: ServiceProcess, path: string, options: RequestOptions = {}, body?: object) {
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(`${service.url}${path}`, { ...options, agent: false }, (response) => {
      let text = '';
      response.on('data', (data: Buffer) => (text += data.toString()));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

const create = (service: ServiceProcess, key: string, over = {}) =>
  send(
    service,
    '/api/v1/guias',
    { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } },
    guiaBody(over),
  );

/** The lines of the log, of all processes. */
function logOf(service: ServiceProcess): Record<string, unknown>[] {
  const lines = service.output().split('\n').slice(0, -1);
  return lines.filter((line) => line !== '' && !line.startsWith('  ')).map((line) => JSON.parse(line));
}

/** The processes that became ready, oldest first. */
const processesOf = (service: ServiceProcess, count: number) =>
  eventually(() => {
    const ready = logOf(service).filter(({ msg }) => msg === 'process ready');
    expect(ready.length).toBeGreaterThanOrEqual(count);
    return ready.map(({ process }) => process as number);
  });

const metricsOf = async (service: ServiceProcess) => (await send(service, '/metrics')).text;

/** The value of a series. */
function valueOf(text: string, series: string): number {
  const line = text.split('\n').filter((one) => one.startsWith(`${series} `));
  expect(line).toHaveLength(1);
  return Number(line[0]!.slice(series.length));
}

const CREATED = 'http_request_duration_seconds_count{method="POST",route="/api/v1/guias",status="201"}';

const isGone = (pid: number) => expect(() => process.kill(pid, 0)).toThrow('ESRCH');

/** The built service, with its supervisor and two forked processes. */
describe('WEB_CONCURRENCY=2', () => {
  const { newFolder, start } = useServices();

  describe('on the embedded PostgreSQL', () => {
    let service: ServiceProcess;
    let dataDir: string;
    let pids: number[];
    beforeAll(async () => {
      dataDir = newFolder();
      service = await start({ DATA_DIR: dataDir, WEB_CONCURRENCY: '2' });
      pids = await processesOf(service, 2);
    });

    it('prints its banner once, when both processes are ready', () => {
      expect(service.output().match(/is ready|gk_live_|gk_test_/g)).toEqual([
        'is ready',
        'gk_live_',
        'gk_test_',
      ]);
      expect(new Set(pids).size).toBe(2);
    });

    it('serves requests with both processes, and either returns the summed metrics of both', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => create(service, service.demoKey!)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      for (let times = 0; times < 3; times++) {
        const text = await metricsOf(service);
        expect(valueOf(text, CREATED)).toBe(10);
        expect(valueOf(text, 'cluster_processes')).toBe(2);
        expect(valueOf(text, 'cluster_restarts_total')).toBe(0);
        // Of the database: the same for both, and asked for once.
        expect(valueOf(text, 'outbox_parked')).toBe(0);
        expect(valueOf(text, 'queue_jobs{queue="notificaciones",state="failed"}')).toBe(0);
        expect(text).toMatch(/^nodejs_version_info\{.*\} 1$/m);
      }
      await eventually(() => {
        const serving = logOf(service).filter(({ route }) => route === '/api/v1/guias');
        expect(new Set(serving.map(({ pid }) => pid))).toEqual(new Set(pids));
      });
    });

    it('replaces a killed process, keeps serving, and no counter decreases', async () => {
      await metricsOf(service);
      const exit = pids[0]!;
      process.kill(exit, 'SIGKILL');
      await eventually(() => isGone(exit));
      for (let n = 0; n < 6; n++) expect((await create(service, service.demoKey!)).status).toBe(201);
      expect(valueOf(await metricsOf(service), CREATED)).toBe(16);
      pids = (await processesOf(service, 3)).slice(1);
      const text = await metricsOf(service);
      expect(valueOf(text, CREATED)).toBe(16);
      expect(valueOf(text, 'cluster_processes')).toBe(2);
      expect(valueOf(text, 'cluster_restarts_total')).toBe(1);
    });

    it('leaves no process behind when its supervisor is killed', async () => {
      const { pid: postgres } = findServer(join(dataDir, 'postgres'))!;
      await service.stop('SIGKILL');
      for (const pid of [...pids, postgres]) await eventually(() => isGone(pid));
    });
  });

  describe('on a PostgreSQL of its own', () => {
    let database: TestDatabase;
    let proxy: TcpProxy;
    let maps: HttpStub;
    let service: ServiceProcess;
    let key: string;
    beforeAll(async () => {
      [database, maps] = await Promise.all([createTestDatabase(), startHttpStub()]);
      proxy = await createTcpProxy(database);
      key = await insertMerchant(database);
      const env = {
        ...{ DATABASE_URL: proxy.database.url, APP_SECRET, ROLE: 'api', WEB_CONCURRENCY: '2' },
        MAPS_RESOLVER_URL: maps.url,
      };
      service = await start(env, undefined, undefined, true);
    });
    afterAll(async () => {
      await Promise.all([proxy.close(), maps.close()]);
      await database.drop();
    });

    it('retries the start of a failing process with exponential backoff until it succeeds', async () => {
      const [first] = await processesOf(service, 2);
      proxy.set({ kind: 'cut' });
      process.kill(first!, 'SIGKILL');
      const ends = await eventually(() => {
        const lines = logOf(service).filter(({ msg }) => msg === 'a process ended; starting another');
        expect(lines.length).toBeGreaterThanOrEqual(2);
        return lines;
      });
      expect((await send(service, '/livez')).status).toBe(200);
      proxy.set({ kind: 'fair' });
      await processesOf(service, 3);
      expect(ends.slice(0, 2)).toEqual([
        expect.objectContaining({ signal: 'SIGKILL', pauseMs: 500 }),
        expect.objectContaining({ reason: expect.stringMatching(/^DATABASE_URL: /), pauseMs: 1_000 }),
      ]);
      await eventually(async () => expect((await create(service, key)).status).toBe(201));
    });

    it('with a hanging process, shows its last metrics, and exits with 0 on Ctrl-C once requests are answered', async () => {
      const [, hanging] = await processesOf(service, 3);
      const before = valueOf(await metricsOf(service), CREATED);
      process.kill(hanging!, 'SIGSTOP');
      // The process that hangs takes one connection at most.
      const answered = (requests: Promise<Answer>[]) =>
        Promise.all(requests.map((one) => one.catch(() => undefined)));
      const scrapes = Array.from({ length: 2 }, () => metricsOf(service));
      for (const scrape of scrapes) scrape.catch(() => undefined);
      expect(valueOf(await Promise.any(scrapes), CREATED)).toBe(before);

      let answerAll = () => undefined as void;
      maps.otherwise({ status: 404, until: new Promise<void>((resolve) => (answerAll = resolve)) });
      const recogida = () => ({ maps_url: `https://maps.app.goo.gl/${Math.random().toString(36).slice(2)}` });
      const requests = answered(
        Array.from({ length: 3 }, () => create(service, key, { recogida: recogida() })),
      );
      await maps.received(2);
      process.kill(-service.child.pid!, 'SIGINT');
      await eventually(() => expect(service.output()).toContain('stopping'));
      answerAll();
      const statuses = (await requests).map((answer) => answer?.status);
      expect(statuses.filter((status) => status === 422).length).toBeGreaterThanOrEqual(2);
      const [code] = (await once(service.child, 'exit')) as [number | null];
      expect(code).toBe(0);
      isGone(hanging!);
      logOf(service);
    });
  });

  const hasProc = existsSync('/proc/self/status') || process.env.CI;
  const title = 'ends by Ctrl-C in its start with 0, also where that ends processes just forked';
  (hasProc ? it : it['skip'])(`${title}${hasProc ? '' : ' (skipped: no /proc)'}`, async () => {
    const database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, APP_SECRET, WEB_CONCURRENCY: '2', ROLE: 'api' };
    const isForked = (pid: number) =>
      eventually(
        () => expect(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')).not.toBe(''),
        undefined,
        1,
      );
    expect(await stopDuringStart(env, isForked, true)).toBe(0);
    await database.drop();
  });

  describe('a start that fails exits with 1 and prints one line once', () => {
    let taken: Server;
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createTestDatabase();
      taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
    });
    afterAll(async () => {
      taken.close();
      await database.drop();
    });

    const on = (url: string) => ({ DATABASE_URL: url, APP_SECRET });
    const CASES: [what: string, env: () => Record<string, string>, line: RegExp][] = [
      [
        'a taken port',
        () => ({ ...on(database.url), PORT: String((taken.address() as AddressInfo).port) }),
        /^PORT: \d+ is taken; .*\n$/,
      ],
      [
        'no PostgreSQL',
        () => on('postgres://u@127.0.0.1:1/d'),
        /^DATABASE_URL: nothing listens there; .*\n$/,
      ],
      [
        'more processes than connections',
        () => ({ ...on(database.url), WEB_CONCURRENCY: '64' }),
        /^WEB_CONCURRENCY: 64 processes open up to 4416 connections, and PostgreSQL allows \d+; set it to \d or less, .*\n$/,
      ],
    ];

    it.each(CASES)('%s', async (_what, env, line) => {
      const given = { PORT: '0', WEB_CONCURRENCY: '2', ...env() };
      const { code, stdout, stderr } = await runNode('main.js', [], given);
      expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) });
    });
  });
});
