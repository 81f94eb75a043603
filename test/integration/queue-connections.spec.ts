import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Database } from '../../src/database/database.js';
import { KEEP } from '../../src/queues/queue-definition.js';
import { QueueConnections } from '../../src/queues/queue-connections.js';
import { QueuesService } from '../../src/queues/queues.service.js';
import { WEBHOOKS } from '../../src/webhooks/deliveries/deliveries.queue.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually, settled } from '../support/eventually.js';
import { createTestApp } from '../support/test-app.js';
import { ALLOW_PRIVATE } from '../support/webhooks.js';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const QUEUE = { name: 'prueba', jobs: ['una'] as const, options: KEEP };

describe('queues in PostgreSQL', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let queues: QueuesService;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await createTcpProxy(database);
    await new QueueConnections(undefined, database.url).migrate();
    queues = new QueuesService(new QueueConnections(undefined, proxy.database.url), pino({ enabled: false }));
  });
  afterAll(async () => {
    await queues.stop();
    await proxy.close();
    await database.drop();
  });

  it('whose very first connection fails work once the database is there, and leave the process its time meanwhile', async () => {
    proxy.set({ kind: 'cut' });
    const done: string[] = [];
    queues.work<'una', { id: string }>(
      QUEUE,
      { una: ({ id }) => Promise.resolve(done.push(id)) },
      { concurrency: 1 },
    );
    await expect(queues.add(QUEUE, [{ id: 'a', name: 'una', data: { id: 'a' } }])).rejects.toThrow();
    let ticks = 0;
    for (let i = 0; i < 50; i++) {
      await sleep(10);
      ticks++;
    }
    expect(ticks).toBe(50);
    proxy.set({ kind: 'fair' });
    await eventually(() => queues.add(QUEUE, [{ id: 'b', name: 'una', data: { id: 'b' } }]));
    await eventually(() => expect(done).toEqual(['b']));
  });

  it('refuse to start where a job would have no handler', () => {
    expect(() =>
      queues.work({ ...QUEUE, jobs: ['una', 'otra'] }, { una: () => Promise.resolve() } as never, {
        concurrency: 1,
      }),
    ).toThrow('jobs without a handler: otra');
  });
});

describe('a process', () => {
  const PAGE = readFileSync('docs/operations.md', 'utf8');

  it.each([
    ['all', /(\d+) for `ROLE=all`/],
    ['api', /(\d+) for `api`/],
  ])('as %s has no more connections to PostgreSQL than docs/operations.md says', async (role, said) => {
    const limit = Number(said.exec(PAGE)![1]);
    const app = await createTestApp({
      env: { ROLE: role, BOARD_USERS: 'ana:clave-de-ana', ...ALLOW_PRIVATE },
    });
    try {
      const database = app.app.get(Database);
      const all = app.app.get(QueuesService).all;
      const webhooks = app.app.get(QueuesService).queue(WEBHOOKS);
      await settled(app);
      // Deliveries that do not exist: they are looked up, and there is nothing to deliver.
      const jobs = Array.from({ length: 200 }, (_, n) => ({
        name: 'entregar',
        data: { webhookId: randomUUID(), mensajeId: randomUUID(), ronda: 0 },
        opts: { jobId: `nada-${n}` },
      }));
      const busy = Promise.all([
        webhooks.addBulk(jobs),
        ...Array.from({ length: 40 }, () => database.query({ text: 'select pg_sleep(0.2)' })),
        ...all.flatMap((queue) => Array.from({ length: 10 }, () => queue.getJobCounts())),
      ]);
      let most = 0;
      let isBusy = true;
      busy.then(
        () => (isBusy = false),
        () => (isBusy = false),
      );
      while (isBusy) {
        await sleep(30);
        const [found] = await app.database.query<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
        );
        most = Math.max(most, found!.count);
      }
      await busy;
      expect(most).toBeGreaterThan(10 + 2 * all.length - 1);
      expect(most).toBeLessThanOrEqual(limit);
    } finally {
      await app.close();
    }
  });
});
