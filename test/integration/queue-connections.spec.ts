import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { KEEP } from '../../src/queues/queue-definition.js';
import { QueueConnections } from '../../src/queues/queue-connections.js';
import { Queues } from '../../src/queues/queues.service.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const QUEUE = { name: 'prueba', jobs: ['una'] as const, options: KEEP };

describe('queues in PostgreSQL', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let queues: Queues;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await createTcpProxy(database);
    await new QueueConnections(undefined, database.url).migrate();
    queues = new Queues(new QueueConnections(undefined, proxy.database.url), pino({ enabled: false }));
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
