import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnrecoverableError, type Job, type PostgresPoolConfig } from 'bullmq';
import { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { Database } from '../../src/platform/database/database.js';
import { POOL_SIZE } from '../../src/platform/database/pool-size.js';
import { PRODUCER_POOL, WORKER_CONNECTIONS } from '../../src/platform/queues/pool-sizes.js';
import { AppQueue } from '../../src/platform/queues/app-queue.js';
import { AppWorker } from '../../src/platform/queues/app-worker.js';
import { RetryLater } from '../../src/platform/queues/job-errors.js';
import { JOB_OPTIONS } from '../../src/platform/queues/job-options.js';
import { createFixedPostgresBackend } from '../../src/platform/queues/postgres-backend.js';
import { endPause, pauseQueue } from '../../src/platform/queues/queue-pause.js';
import { QueueStore } from '../../src/platform/queues/queue-store.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { QUEUE_NAMES } from '../../src/web/console/texts.js';
import { WEBHOOKS } from '../../src/webhooks/deliveries/deliveries.queue.js';
import { createTestDatabase, expectToSurvive, type TestDatabase } from '../support/database.js';
import { eventually, settled } from '../support/eventually.js';
import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.js';
import { withTestApp, type TestApp } from '../support/test-app.js';
import { ALLOW_PRIVATE } from '../support/webhooks.js';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { useTestApp } from '../support/use.js';

const silent = pino({ enabled: false });
const queueOn = (store: QueueStore) =>
  new AppQueue(store, 'prueba', { connection: store.producer(), defaultJobOptions: JOB_OPTIONS });
/** The service on a store that has this queue alone. */
const queuesWith = (queue: AppQueue) => new QueuesService({ queue: () => queue } as unknown as QueueStore);

describe('a queue in PostgreSQL', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await createTcpProxy(database);
  });
  afterAll(async () => {
    await proxy.close();
    await database.drop();
  });

  it('works after its first connection failed, and does not block the process meanwhile', async () => {
    proxy.set({ kind: 'cut' });
    const store = new QueueStore(undefined, proxy.database.url, silent);
    const queue = queueOn(store);
    const done: unknown[] = [];
    const worker = new AppWorker(store, queue.name, (job) => Promise.resolve(done.push(job.id)), {});
    await expect(queue.add('una', {})).rejects.toThrow();
    for (let turns = 0; turns < 50; turns++) await sleep(1);
    proxy.set({ kind: 'fair' });
    await eventually(() => queue.add('una', {}, { jobId: 'b' }));
    await eventually(() => expect(done).toEqual(['b']));
    await worker.close();
    await queue.close();
  });

  it('runs a job that it was not notified of, even if the next known job is due later', async () => {
    const store = new QueueStore(undefined, database.url, silent);
    const queue = queueOn(store);
    await queue.addBulk(
      ['callada', 'lejana'].map((jobId) => ({ name: 'una', data: {}, opts: { jobId, delay: 600_000 } })),
    );
    const worker = new AppWorker(store, queue.name, () => Promise.resolve('done'), { drainDelay: 1 });
    await once(worker, 'drained');
    await sleep(500);
    await database.query(`update bullmq.job set state = 'waiting', delay_ms = 0 where id = 'callada'`);
    await eventually(async () => expect(await queue.getJobState('callada')).toBe('completed'));
    await worker.close();
    await queue.obliterate({ force: true });
    await queue.close();
  });

  it('survives the loss of a connection that BullMQ holds between two statements', async () => {
    const store = new QueueStore(undefined, database.url, silent);
    const connection = store.producer() as PostgresPoolConfig;
    const { connection: held } = createFixedPostgresBackend('prueba', { connection });
    await expectToSurvive(held.pool as Pool, database);
    await held.close();
  });
});

/** What holds for workers on either store. */
function itWorks(makeStore: () => QueueStore): void {
  let store: QueueStore;
  let queue: AppQueue;

  beforeAll(() => {
    store = makeStore();
    queue = queueOn(store);
  });
  // What waits or is delayed would occupy the worker of the next test.
  afterEach(() => queue.drain(true));
  afterAll(async () => {
    await queue.obliterate({ force: true });
    await queue.close();
  });

  it('keeps few of the events that nobody reads', async () => {
    await eventually(async () => expect((await queue.getMeta()).maxLenEvents).toBe(1));
  });

  it('closes its worker even if a job hangs, and the job runs again elsewhere', async () => {
    const options = { lockDuration: 1_000, stalledInterval: 200 };
    let isRunning = false;
    const hung = new AppWorker(store, queue.name, () => new Promise(() => (isRunning = true)), {
      ...options,
      finishLimitMs: 50,
    });
    await eventually(() => queue.add('una', {}, { jobId: 'hung' }));
    await eventually(() => expect(isRunning).toBe(true));
    await hung.close();
    const other = new AppWorker(store, queue.name, () => Promise.resolve('done'), options);
    await eventually(async () => expect(await queue.getJobState('hung')).toBe('completed'));
    await other.close();
  });

  it('reruns a job, instead of failing it, if the store does not record its completion', async () => {
    let runs = 0;
    const worker = new AppWorker(
      store,
      queue.name,
      (job) => {
        runs++;
        if (runs === 1) job.moveToCompleted = () => Promise.reject(new Error('Query read timeout'));
        return Promise.resolve('done');
      },
      {},
    );
    await eventually(() => queue.add('una', {}, { jobId: 'unfinished' }));
    await eventually(async () => expect(await queue.getJobState('unfinished')).toBe('completed'));
    expect(runs).toBe(2);
    await worker.close();
  });

  it('fails a job after ten unexpected errors, but never because the database or the store is unavailable', async () => {
    const faults: Record<string, Error> = {
      defecto: new TypeError('of +50255551234'),
      base: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
      cola: Object.assign(new Error('OOM command not allowed'), { name: 'ReplyError' }),
    };
    const names = Object.keys(faults);
    const worker = new AppWorker(store, queue.name, ({ name }) => Promise.reject(faults[name]!), {});
    await queue.addBulk(names.map((name) => ({ name, data: {}, opts: { jobId: `de-${name}` } })));
    const job = async (name: string) => (await queue.getJob(`de-${name}`))!;

    for (let attempts = 1; attempts <= 11; attempts++)
      for (const name of names) {
        const hasFailed = name === 'defecto' && attempts >= 10;
        await eventually(async () => {
          expect(await queue.getJobState(`de-${name}`)).toBe(hasFailed ? 'failed' : 'delayed');
          expect((await job(name)).attemptsMade).toBe(hasFailed ? 10 : attempts);
        });
        if (!hasFailed) await (await job(name)).promote();
      }
    await worker.close();
    expect((await job('defecto')).failedReason).toBe(
      'Una falla interna impidió la tarea; fue el último intento. Vea el registro.',
    );
    expect((await job('base')).failedReason).toMatch(/^La base de datos o la cola no respondió/);
  });

  it('detects missing jobs, and frees the ids of ended ones', async () => {
    const run: Record<string, () => Promise<unknown>> = {
      completa: () => Promise.resolve('done'),
      falla: () => Promise.reject(new UnrecoverableError('no')),
      vuelve: () => Promise.reject(new RetryLater('later', 600_000)),
    };
    let isOver = (): void => undefined;
    const over = new Promise<void>((resolve) => (isOver = resolve));
    const worker = new AppWorker(store, queue.name, ({ name }) => run[name]?.() ?? over, { concurrency: 2 });
    const ids = ['completa', 'falla', 'falla-antes', 'vuelve', 'corre', 'demora', 'espera', 'otra-vez'];
    const add = (id: string, name: string, delay = 0) => queue.add(name, {}, { jobId: id, delay });
    await add('completa', 'completa');
    for (const id of ['falla', 'falla-antes', 'otra-vez']) await add(id, 'falla');
    await add('vuelve', 'vuelve');
    await add('corre', 'corre');
    await add('demora', 'corre', 600_000);
    const states = { completa: 'completed', falla: 'failed', 'falla-antes': 'failed', 'otra-vez': 'failed' };
    for (const [id, state] of Object.entries({ ...states, vuelve: 'delayed', corre: 'active' }))
      await eventually(async () => expect([id, await queue.getJobState(id)]).toEqual([id, state]));
    await queue.pause();
    await add('espera', 'corre');
    await (await queue.getJob('otra-vez'))!.retry();

    const without = (some: string[], failedMs: number) =>
      queuesWith(queue).withoutJob(queue.name, some, (id) => id, failedMs);
    expect(await without(['falla-antes'], 0)).toEqual(['falla-antes']);
    expect(await without([...ids, 'nunca'], 600_000)).toEqual(['completa', 'falla-antes', 'nunca']);
    expect(await queue.getJob('completa')).toBeUndefined();
    expect(await queue.getJobState('falla')).toBe('failed');
    isOver();
    await queue.resume();
    await worker.close();
  });

  it.each<[when: string, interrupt: 'removeGlobalRateLimit' | 'rateLimit' | 'setGlobalRateLimit']>([
    ['while an earlier one is ended', 'removeGlobalRateLimit'],
    ['although an earlier one is ended before its time is set', 'rateLimit'],
    ['although an earlier one is ended before its limit is set', 'setGlobalRateLimit'],
  ])('keeps a pause that begins %s', async (_, interrupt) => {
    const isEnding = interrupt === 'removeGlobalRateLimit';
    const other = () => (isEnding ? pauseQueue(queue, 60_000) : endPause(queue));
    const step = queue[interrupt].bind(queue) as (...args: number[]) => Promise<never>;
    const interrupted = jest.spyOn(queue, interrupt).mockImplementationOnce(async (...args: number[]) => {
      await other();
      return step(...args);
    });
    await queue.removeRateLimitKey();
    await (isEnding ? endPause(queue) : pauseQueue(queue, 60_000));
    expect(interrupted).toHaveBeenCalled();
    // BullMQ pauses a queue that has both.
    expect(await queue.getGlobalRateLimit()).not.toBeNull();
    expect(await queue.getRateLimitTtl()).toBeGreaterThan(30_000);
    expect(await endPause(queue)).toBe(false);
    interrupted.mockRestore();
    await queue.removeRateLimitKey();
    expect(await endPause(queue)).toBe(true);
    expect(await queue.getGlobalRateLimit()).toBeNull();
  });

  it('accepts jobs after its worker was closed', async () => {
    const worker = new AppWorker(store, queue.name, () => Promise.resolve('done'), {});
    await worker.close();
    await eventually(() => queue.add('una', {}, { jobId: 'late' }));
    expect(await queue.getJobState('late')).toBe('waiting');
  });
}

describeWithRedis('queues on PostgreSQL and Redis in one process', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  const stores: { postgres?: QueueStore; redis?: QueueStore } = {};

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
    stores.postgres = new QueueStore(undefined, database.url, silent);
    stores.redis = new QueueStore({ url: redis.url }, database.url, silent);
  });
  afterAll(async () => {
    await redis.stop();
    await database.drop();
  });

  it.each(['postgres', 'redis'] as const)('each keep their own jobs: %s', async (name) => {
    const [mine, other] = [queueOn(stores[name]!), queueOn(stores[name === 'redis' ? 'postgres' : 'redis']!)];
    await mine.add('una', {}, { jobId: `only-${name}` });
    expect([await mine.getJobState(`only-${name}`), await other.getJobState(`only-${name}`)]).toEqual([
      'waiting',
      'unknown',
    ]);
    await mine.obliterate();
    await Promise.all([mine.close(), other.close()]);
  });

  it('detect missing jobs without scanning the waiting ones', async () => {
    const queue = queueOn(stores.redis!);
    const ids = Array.from({ length: 200 }, (_, n) => `waits-${n}`);
    await queue.addBulk(ids.map((jobId) => ({ name: 'una', data: {}, opts: { jobId } })));
    const client = new Redis(redis.url);
    await client.config('RESETSTAT');
    const gone = await queuesWith(queue).withoutJob(queue.name, ids, (id) => id, 0);
    expect(gone).toEqual([]);
    expect(await client.info('commandstats')).not.toMatch(/cmdstat_(lrange|lpos)/);
    await client.quit();
    await queue.obliterate();
    await queue.close();
  });

  describe('a queue on PostgreSQL', () => itWorks(() => stores.postgres!));
  describe('a queue on Redis', () => itWorks(() => stores.redis!));
});

/** In the order of their names. */
const ALL_QUEUES = Object.keys(QUEUE_NAMES).sort();

/** Of `all` and of `api`, as documented. */
const [, OF_API, OF_ALL] = /^\| to PostgreSQL, with the queues in it +\| (\d+) +\| (\d+) +\|$/m.exec(
  readFileSync('docs/scaling.md', 'utf8'),
)!;

async function expectConnections(app: TestApp, hasWorkers: boolean): Promise<void> {
  const limit = Number(hasWorkers ? OF_ALL : OF_API);
  const database = app.app.get(Database);
  const all = app.app.get(QueuesService).all;
  expect(all.map(({ name }) => name)).toEqual(ALL_QUEUES);
  const { workers } = app.app.get(QueueStore);
  expect(workers).toHaveLength(hasWorkers ? all.length : 0);
  const pools = workers.map(({ opts }) => (opts.connection as PostgresPoolConfig).max!);
  expect(pools.reduce((sum, max) => sum + max, 0)).toBe(hasWorkers ? WORKER_CONNECTIONS : 0);
  await settled(app);
  // Endpoints that do not exist: workers look them up, and there is nothing to deliver.
  const jobs = Array.from({ length: 200 }, (_, n) => ({
    name: 'entregar_pendientes',
    data: { webhookId: randomUUID() },
    opts: { jobId: `nada-${n}` },
  }));
  const counted = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  let most = 0;
  await eventually(async () => {
    const isBusy = Promise.allSettled([
      app.app.get(QueuesService).queue(WEBHOOKS).addBulk(jobs),
      ...Array.from({ length: 40 }, () => database.query({ text: 'select pg_sleep(0.2)' })),
      ...all.flatMap((queue) => Array.from({ length: 10 }, () => queue.getJobCounts())),
    ]);
    const [found] = await app.database.query<{ count: number }>(counted);
    most = Math.max(most, found!.count);
    await isBusy;
    expect(most).toBeGreaterThanOrEqual(POOL_SIZE + PRODUCER_POOL);
  });
  expect(most).toBeLessThanOrEqual(limit);
}

/** All that takes connections. */
const everything = (ROLE: string) => ({ ROLE, BOARD_USERS: 'ana:clave-de-ana', ...ALLOW_PRIVATE });

describe('a process with workers', () => {
  const app = useTestApp({ env: everything('all') });

  it.each(ALL_QUEUES)(
    'leaves a job with a name that it does not know in %s for another worker',
    async (name) => {
      const queue = app.app.get(QueuesService).queue(name);
      // On a busy machine its first connection may take longer than a producer waits.
      await eventually(() => queue.add('nueva', {}, { jobId: 'new' }));
      await eventually(async () => expect(await queue.getJobState('new')).toBe('delayed'));
      const job = (await queue.getJob('new')) as Job;
      expect(job.failedReason).toBe('Este proceso no conoce la tarea nueva.');
      expect(job.delay).toBe(60_000);
    },
  );

  it('opens no more connections to PostgreSQL than docs/scaling.md says', () => expectConnections(app, true));
});

it('a process without workers opens no more connections to PostgreSQL than docs/scaling.md says', () =>
  withTestApp({ env: everything('api') }, (app) => expectConnections(app, false)));
