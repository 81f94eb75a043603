import { Redis } from 'ioredis';
import { setClocksAhead } from '../support/clock-ahead.js';
import { eventually } from '../support/eventually.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import { createTestApp, guiaBody } from '../support/test-app.js';
import { opened } from '../support/use.js';

describeWithRedis('while Redis does not work for us', () => {
  const redis = opened(startRedis);
  const test = opened(() => createTestApp({ env: { ROLE: 'all', REDIS_URL: redis.url } }));
  afterAll(() => redis.stop());

  const setPassword = async (password: string, from = '') => {
    const client = new Redis(redis.url, { ...(from && { password: from }) });
    await client.config('SET', 'requirepass', password);
    await client.call('CLIENT', 'KILL', 'TYPE', 'normal');
    client.disconnect();
  };
  const ready = async () => (await test.request('/readyz')).body as object;

  it('/readyz is ready and says why, the log what to change, and guides are taken', async () => {
    const merchant = await test.merchant();
    await setPassword('secreta');
    await eventually(async () =>
      expect(await ready()).toEqual({ ok: true, cola: 'Redis pide una contraseña.' }),
    );
    expect(test.logs.map(({ msg }) => msg as string)).toContainEqual(
      expect.stringMatching(/^REDIS_URL: Redis wants a password; /),
    );
    expect((await merchant.post('/api/v1/guias', guiaBody())).status).toBe(201);
    await setPassword('', 'secreta');
    // An error counts for ten seconds.
    setClocksAhead(10_000);
    await eventually(async () => expect(await ready()).toEqual({ ok: true }));
    await redis.kill();
    await eventually(async () => expect(await ready()).toEqual({ ok: true, cola: 'Redis no responde.' }));
  });
});
