import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.js';
import { ORDEAL_LIMIT_MS, runOrdeal, UNBROKEN } from './ordeal.js';

/** Nothing is lost with the queues in Redis, which is flushed, frozen and killed. A failure shows the seed of its plan. */
describeWithRedis('the service on PostgreSQL and Redis', () => {
  let redis: TestRedis;

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  it(
    'keeps every guide, message and webhook while its processes, its database and Redis fail',
    async () => {
      expect(await runOrdeal(redis)).toEqual(UNBROKEN);
    },
    ORDEAL_LIMIT_MS,
  );
});
