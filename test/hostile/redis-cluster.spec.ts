import { createBridgedApp, newPhone, type BridgedApp } from '../support/messaging.js';
import { describeWithRedis } from '../support/redis.js';
import { startCluster, type TestCluster } from '../support/redis-cluster.js';
import { client, createTestApp, type TestApp } from '../support/test-app.js';
import { eventually } from '../support/eventually.js';

const GUIAS = '/api/v1/guias';

/** ms; a hang limit: a lost job is restored within half a minute of the promotion. */
const HANG_MS = 110_000;

/** A key that the queue of messages always has. */
const MESSAGES_KEY = '*:notificaciones:meta';

describeWithRedis('a Redis Cluster', () => {
  let redis: TestCluster;
  let one: BridgedApp;
  let two: TestApp;

  beforeAll(async () => {
    redis = await startCluster();
    one = await createBridgedApp({ env: { REDIS_URL: redis.url } });
    two = await createTestApp({
      env: { REDIS_URL: redis.url },
      database: one.test.database,
    });
  });
  afterAll(async () => {
    await two?.close();
    await one?.close();
    await redis?.stop();
  });

  /** The differences that requests to both processes make to what is left of a new key's limit. */
  const expectSharedLimits = async () => {
    const { key } = await one.test.merchant();
    const left: number[] = [];
    for (const { request } of [one.test, two, one.test]) {
      const { headers } = await client(request, key).get(GUIAS);
      left.push(Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]));
    }
    expect(left.map((value) => value - left[0]!)).toEqual([0, -1, -2]);
  };

  it('counts the requests of a key for all processes, whichever node has the count', async () => {
    await eventually(async () => {
      for (let keys = 0; keys < 10; keys++) await expectSharedLimits();
    });
  });

  it('creates continue and every message is sent if the master that holds the messages dies', async () => {
    const merchant = await one.test.merchant();
    const phones: string[] = [];
    let isOver = false;
    const create = async () => {
      const telefono = newPhone();
      await one.messaging.create(merchant, { telefono });
      phones.push(telefono);
    };
    const createOn = async () => {
      while (!isOver) await create();
    };
    const expectSent = () =>
      eventually(
        () => expect(phones.filter((phone) => one.bridge.sentTo(phone).length === 0)).toEqual([]),
        HANG_MS,
        100,
      );

    await create();
    await expectSent();
    const master = await redis.masterOf(MESSAGES_KEY);
    const working = Promise.all([createOn(), createOn()]);
    await redis.kill(master);
    await eventually(async () => expect(await redis.masterOf(MESSAGES_KEY)).not.toBe(master), HANG_MS, 100);
    isOver = true;
    await working;
    await create();
    await expectSent();
    // The same message only, if it was being sent when the master died.
    for (const phone of phones)
      expect(new Set(one.bridge.sentTo(phone).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await eventually(expectSharedLimits);
  });
});
