import { createBridgedApp, newPhone } from '../support/messaging.js';
import { describeWithRedis, startSentinels } from '../support/redis.js';
import { eventually } from '../support/eventually.js';

/** ms; a hang limit: a lost job is restored within half a minute of the promotion. */
const HANG_MS = 110_000;

describeWithRedis('a Redis watched by Sentinels', () => {
  it('creates continue and every message is sent if the master and a Sentinel die', async () => {
    const redis = await startSentinels();
    const app = await createBridgedApp({ env: { REDIS_URL: redis.url } });
    try {
      const merchant = await app.test.merchant();
      const phones: string[] = [];
      const create = async () => {
        const telefono = newPhone();
        phones.push(telefono);
        await app.messaging.create(merchant, { telefono });
      };
      await create();
      await eventually(() => expect(app.bridge.sentTo(phones[0]!)).toHaveLength(1));
      const master = await redis.master();
      await redis.killSentinel();
      await redis.killMaster();
      for (let n = 0; n < 20; n++) await create();
      await eventually(async () => expect(await redis.master()).not.toBe(master), HANG_MS, 100);
      await create();
      await eventually(
        () => expect(phones.filter((phone) => app.bridge.sentTo(phone).length === 0)).toEqual([]),
        HANG_MS,
        100,
      );
      // The same message only, if it was being sent when the master died.
      for (const phone of phones)
        expect(new Set(app.bridge.sentTo(phone).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    } finally {
      await app.close();
      await redis.stop();
    }
  });
});
