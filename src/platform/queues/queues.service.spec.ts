import type { Queue } from 'bullmq';
import { pino } from 'pino';
import { QueueStore } from './queue-store.js';
import { QueuesService } from './queues.service.js';

describe('jobs whose rows are committed', () => {
  const OUTAGE = new Error('Connection is closed.');
  const JOBS = [{ id: 'a', name: 'una', data: {} }];

  /** A service on a queue whose adds end so, one after another. */
  function setUp(...outcomes: (Error | undefined)[]) {
    const logs: string[] = [];
    const logger = pino({}, { write: (line) => void logs.push((JSON.parse(line) as { msg: string }).msg) });
    const addBulk = () => {
      const error = outcomes.shift();
      return error ? Promise.reject(error) : Promise.resolve([]);
    };
    const store = new QueueStore({ url: 'redis://redis' }, '', logger);
    store.queues.push({ name: 'prueba', addBulk } as unknown as Queue);
    const queues = new QueuesService(store);
    return { logs, store, add: () => queues.addOrLeave('prueba', JOBS) };
  }

  it('are left to the sweep while the store is away, which is logged once for each outage', async () => {
    const { logs, add } = setUp(OUTAGE, OUTAGE, undefined, OUTAGE);
    for (let n = 0; n < 4; n++) await add();
    const line = 'jobs wait for the queue store; none is lost';
    expect(logs).toEqual([line, line]);
  });

  it('are not left for another reason', async () => {
    const { add } = setUp(new TypeError('defect'));
    await expect(add()).rejects.toThrow('defect');
  });
});
