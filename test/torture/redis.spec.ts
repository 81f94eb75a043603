import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.js';
import { runOrdeal, UNBROKEN } from './ordeal.js';

/**
 * Nothing is lost with the queues in Redis, which is flushed, frozen and killed. Small by default; at full size:
 *
 *     TORTURE_GUIDES=2000 TORTURE_KILLS=20 TORTURE_OUTAGE_S=10 \
 *       npx jest --config test/jest.config.mjs test/torture/redis
 *
 * `ordeal.ts` lists the other settings. A failure shows the seed of its plan.
 */
describeWithRedis('the service on PostgreSQL and Redis', () => {
  let redis: TestRedis;

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  it('keeps every guide and sends every message while its processes are killed and Redis fails', async () => {
    expect(await runOrdeal(redis)).toEqual(UNBROKEN);
  }, 600_000);
});
