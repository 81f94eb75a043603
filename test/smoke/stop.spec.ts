import { eventually } from '../support/eventually.js';
import { APP_SECRET } from '../support/guia-body.js';
import { insertMerchant } from '../support/merchant-rows.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import { createGuia, useServices } from '../support/service-process.js';
import { createTcpProxy } from '../support/tcp-proxy.js';
import { withTcpServer } from '../support/tcp-server.js';
import { useDatabase } from '../support/use.js';

/** What SIGTERM has to do with, in the built service with all its roles. It gives itself 9.5 s, and then ends with 1. */
describe('SIGTERM ends the service with 0', () => {
  const { start } = useServices();
  const database = useDatabase();
  let key: string;

  beforeAll(async () => {
    key = await insertMerchant(database);
  });

  const on = ({ url }: { url: string }) => ({ DATABASE_URL: url, APP_SECRET });

  describeWithRedis('while Redis is frozen', () => {
    it('and has events that the relay cannot hand over', async () => {
      const redis = await startRedis();
      const service = await start({ ...on(database), REDIS_URL: redis.url });
      redis.pause();
      expect((await createGuia(service, key)).status).toBe(201);
      expect((await service.stop()).code).toBe(0);
      await redis.stop();
    });
  });

  it('while PostgreSQL is frozen', async () => {
    const proxy = await createTcpProxy(database);
    const service = await start(on(proxy.database));
    proxy.set({ kind: 'frozen' });
    expect((await service.stop()).code).toBe(0);
    await proxy.close();
  });

  it('while a job hangs', async () => {
    let isCalled = false;
    const answerNothing = () => (isCalled = true);
    await withTcpServer(answerNothing, async (port) => {
      const service = await start({
        ...on(database),
        MESSAGING_PROVIDER: 'webhook',
        MESSAGING_WEBHOOK_URL: `http://127.0.0.1:${port}`,
        MESSAGING_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
      });
      expect((await createGuia(service, key)).status).toBe(201);
      await eventually(() => expect(isCalled).toBe(true));
      expect((await service.stop()).code).toBe(0);
    });
  });
});
