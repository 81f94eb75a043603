import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.js';
import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.js';
import { createTestApp, guiaBody, type TestApp } from '../support/test-app.js';

describeWithRedis('while Redis does not work for us', () => {
  let redis: TestRedis;
  let test: TestApp;

  beforeAll(async () => {
    redis = await startRedis();
    test = await createTestApp({ env: { ROLE: 'all', REDIS_URL: redis.url } });
  });
  afterAll(async () => {
    await test.close();
    await redis.stop();
  });

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
    await eventually(async () => expect(await ready()).toEqual({ ok: true }));
    await redis.kill();
    await eventually(async () => expect(await ready()).toEqual({ ok: true, cola: 'Redis no responde.' }));
  });
});
