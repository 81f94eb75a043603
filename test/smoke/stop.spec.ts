import { join } from 'node:path';
import { findServer } from '../../src/database/embedded-postgres/postmaster-pid.js';
import { eventually } from '../support/eventually.js';
import { APP_SECRET } from '../support/guia-body.js';
import { insertMerchant } from '../support/merchant-rows.js';
import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.js';
import { createGuia, useServices } from '../support/service-process.js';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { withTcpServer } from '../support/tcp-server.js';
import { useDatabase } from '../support/use.js';

/** What SIGTERM has to do with, in the built service. It gives itself 9.5 s, and then ends with 1. */
describe('SIGTERM ends the service with 0', () => {
  const { newFolder, start } = useServices();
  const database = useDatabase();
  let key: string;

  beforeAll(async () => {
    key = await insertMerchant(database);
  });

  const on = ({ url }: { url: string }) => ({ DATABASE_URL: url, APP_SECRET });

  const ROLES = ['api', 'worker', 'all'];

  describeWithRedis('while Redis is frozen', () => {
    let redis: TestRedis;
    const codes = new Map<string, number | null>();

    // All at once: most of a stop is waiting.
    beforeAll(async () => {
      redis = await startRedis();
      const services = await Promise.all(
        ROLES.map((ROLE) => start({ ...on(database), REDIS_URL: redis.url, ROLE })),
      );
      redis.pause();
      // Events that the relay cannot hand over.
      for (const [i, service] of services.entries())
        if (ROLES[i] !== 'worker') expect((await createGuia(service, key)).status).toBe(201);
      await Promise.all(
        services.map(async (service, i) => codes.set(ROLES[i]!, (await service.stop()).code)),
      );
    });
    afterAll(() => redis.stop());

    it.each(ROLES)('as %s', (role) => expect(codes.get(role)).toBe(0));
  });

  describe('while PostgreSQL is frozen', () => {
    let proxy: TcpProxy;
    const codes = new Map<string, number | null>();

    beforeAll(async () => {
      proxy = await createTcpProxy(database);
      const services = await Promise.all(ROLES.map((ROLE) => start({ ...on(proxy.database), ROLE })));
      proxy.set({ kind: 'frozen' });
      await Promise.all(
        services.map(async (service, i) => codes.set(ROLES[i]!, (await service.stop()).code)),
      );
    });
    afterAll(() => proxy.close());

    it.each(ROLES)('as %s', (role) => expect(codes.get(role)).toBe(0));

    it('and is embedded: that one ends, too', async () => {
      const DATA_DIR = newFolder();
      const service = await start({ DATA_DIR });
      const { pid } = findServer(join(DATA_DIR, 'postgres'))!;
      process.kill(pid, 'SIGSTOP');
      expect((await service.stop()).code).toBe(0);
      await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
    });
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
