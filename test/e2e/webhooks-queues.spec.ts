import { RelayService } from '../../src/platform/events/relay.service.js';
import { DeliveriesService } from '../../src/webhooks/deliveries/deliveries.service.js';
import { eventually, settled } from '../support/eventually.js';
import type { StubReply } from '../support/http-stub.js';
import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.js';
import { createTestApp, type TestMerchant } from '../support/test-app.js';
import {
  ALLOW_PRIVATE,
  createHookedApp,
  gate,
  makeDeliveries,
  verified,
  type Endpoint,
  type HookedApp,
  type StoredDelivery,
} from '../support/webhooks.js';

interface Store {
  env: Record<string, string>;
  /** Loses every job. */
  wipe(app: HookedApp): Promise<unknown>;
}

/** What holds on either store. */
function itIsNeverLost(store: () => Store): void {
  let app: HookedApp;
  let merchant: TestMerchant;
  let endpoint: Endpoint;

  beforeAll(async () => {
    app = await createHookedApp({ env: store().env });
  });
  beforeEach(async () => {
    merchant = await app.test.merchant();
    endpoint = await app.hooks.endpoint(merchant);
  });
  afterAll(() => app.close());

  const ids = () => app.receiver.at(endpoint.at).map(({ headers }) => headers['webhook-id']);
  const restore = () => app.test.app.get(DeliveriesService).wakeOverdue();
  /** Lets so many seconds pass since a delivery was due, but not for its endpoint's job. */
  const age = (delivery: StoredDelivery, seconds: number) =>
    app.test.database.query(
      'update webhook_entregas set proximo_en = now() - make_interval(secs => $2) where mensaje_id = $1',
      [delivery.mensaje_id, seconds],
    );
  /** When the next attempt of a delivery is due. */
  const next = async (delivery: StoredDelivery) => {
    const [row] = await app.test.database.query<{ proximo_en: Date }>(
      'select proximo_en from webhook_entregas where mensaje_id = $1',
      [delivery.mensaje_id],
    );
    return row!;
  };
  /** Has the event of a delivery dispatched a second time. */
  const dispatchAgain = async ({ guia }: StoredDelivery) => {
    await app.test.database.query(
      `insert into eventos_pendientes (id, comercio_id, guia_id)
       select e.id, e.comercio_id, e.guia_id from eventos e join guias g on g.id = e.guia_id where g.guia = $1`,
      [guia],
    );
    app.test.app.get(RelayService).wake();
  };
  /** A delivery to the endpoint after it has answered a test, with these answers. */
  const quick = async (...answers: StubReply[]): Promise<StoredDelivery> => {
    await app.hooks.probe(endpoint);
    return app.hooks.delivery(endpoint, ...answers);
  };
  const waiting = async (): Promise<StoredDelivery> => {
    const delivery = await app.hooks.delivery(endpoint, { status: 503, headers: { 'retry-after': '3600' } });
    await app.hooks.delayed(endpoint);
    return delivery;
  };

  it('is made once even if its event is dispatched twice', async () => {
    const delivery = await app.hooks.delivery(endpoint);
    await app.hooks.reached(delivery, { estado: 'entregada' });
    await dispatchAgain(delivery);
    await settled(app.test);
    await app.test.database.query(`update guias set notas = 'otra' where guia = $1`, [delivery.guia]);
    await dispatchAgain(delivery);
    await settled(app.test);
    expect(await app.hooks.of(endpoint)).toMatchObject([{ estado: 'entregada', intentos: 1, ronda: 0 }]);
    expect(ids()).toEqual([delivery.mensaje_id]);
  });

  it('is made although the relay died between inserting its row and adding its job', async () => {
    const delivery = await waiting();
    await store().wipe(app);
    await age(delivery, 0);
    await dispatchAgain(delivery);
    await app.hooks.reached(delivery, { estado: 'entregada', ronda: 0 });
    expect(ids()).toEqual([delivery.mensaje_id, delivery.mensaje_id]);
  });

  it('is made with the same id and body 20 s after it was due, if the queue lost the job of its endpoint', async () => {
    const delivery = await waiting();
    await store().wipe(app);
    await app.hooks.idle(endpoint);
    await age(delivery, 5);
    await restore();
    await app.hooks.idle(endpoint);
    await age(delivery, 21);
    await restore();
    await app.hooks.reached(delivery, { estado: 'entregada', intentos: 2, ronda: 0 });
    const [first, second] = app.receiver.at(endpoint.at);
    expect(ids()).toEqual([delivery.mensaje_id, delivery.mensaje_id]);
    expect(second!.rawBody).toEqual(first!.rawBody);
    verified(endpoint.secreto, second!);
  });

  it('is not made again after it was delivered', async () => {
    const delivery = await app.hooks.delivery(endpoint);
    await app.hooks.reached(delivery, { estado: 'entregada' });
    await age(delivery, 3_600);
    await store().wipe(app);
    await restore();
    await settled(app.test);
    expect(ids()).toHaveLength(1);
  });

  it('is made once with many others whose endpoint has lost its job', async () => {
    const count = 40;
    await makeDeliveries(app.test.database, endpoint, { count, estado: 'pendiente' });
    await restore();
    await eventually(() => expect(new Set(ids()).size).toBe(count));
    await settled(app.test);
    expect(ids()).toHaveLength(count);
  });

  it('is made at once while another one of its endpoint waits for a retry', async () => {
    const patient = await waiting();
    const { proximo_en } = await next(patient);
    await app.hooks.reached(await app.hooks.delivery(endpoint), { estado: 'entregada' });
    await app.hooks.reached(await app.hooks.delivery(endpoint), { estado: 'entregada' });
    expect(await app.hooks.now(patient)).toMatchObject({ estado: 'pendiente', intentos: 1 });
    const { timestamp, delay } = await app.hooks.delayed(endpoint);
    expect(Math.abs(timestamp + delay - proximo_en.getTime())).toBeLessThan(5_000);
  });

  it('is made after an attempt under way, if its job cannot begin another', async () => {
    const { until, open: answer } = gate();
    app.receiver.answerAt(endpoint.at, { until }, { until });
    for (let n = 0; n < 4; n++) await app.hooks.guia(merchant);
    await eventually(async () => expect(await app.hooks.of(endpoint)).toHaveLength(4));
    await eventually(() => expect(ids()).toHaveLength(2));
    answer();
    await eventually(() => expect(new Set(ids()).size).toBe(4));
    await settled(app.test);
    expect(ids()).toHaveLength(4);
    await app.hooks.idle(endpoint);
  });

  it('is made by a job that an earlier version added for it alone', async () => {
    const delivery = await waiting();
    await age(delivery, 0);
    const data = { webhookId: endpoint.id, mensajeId: delivery.mensaje_id, ronda: 0, guia: delivery.guia };
    const jobId = `${endpoint.id}.${delivery.mensaje_id}.0`;
    await app.hooks.queue.add('entregar', data, { jobId });
    await app.hooks.reached(delivery, { estado: 'entregada', intentos: 2 });
    await eventually(async () => expect(await app.hooks.queue.getJobState(jobId)).toBe('completed'));
    await app.hooks.queue.add('entregar', data, { jobId: `${jobId}.1` });
    await settled(app.test);
    expect(ids()).toHaveLength(2);
  });

  it('continues in the slow queue after its first attempt failed', async () => {
    const delivery = await quick({ fault: 'reset' });
    await app.hooks.reached(delivery, { estado: 'pendiente', intentos: 1, lenta: true });
    await app.hooks.delayed(endpoint);
    await eventually(async () => expect(await app.hooks.jobOf(endpoint, app.hooks.quick)).toBeUndefined());
    await app.hooks.due(delivery);
    await app.hooks.reached(delivery, { estado: 'entregada', intentos: 2 });
    expect(ids()).toEqual([expect.any(String), delivery.mensaje_id, delivery.mensaje_id]);
  });

  it('is made in the queue it was in', async () => {
    const delivery = await quick();
    await app.hooks.reached(delivery, { estado: 'entregada', lenta: false });
    await store().wipe(app);
    await app.test.database.query(
      `update webhook_entregas set estado = 'pendiente', proximo_en = now() - interval '1 minute' where mensaje_id = $1`,
      [delivery.mensaje_id],
    );
    await restore();
    await app.hooks.reached(delivery, { estado: 'entregada', lenta: false });
  });

  it('waits for its turn while its endpoint is busy, without using up an attempt', async () => {
    app.receiver.alwaysAt(endpoint.at, { delayMs: 30 });
    for (let n = 0; n < 8; n++) await Promise.all(Array.from({ length: 5 }, () => app.hooks.guia(merchant)));
    await eventually(() => expect(new Set(ids()).size).toBe(40));
    await settled(app.test);
    const rows = await app.hooks.of(endpoint);
    expect(rows.map(({ estado, intentos }) => `${estado} ${intentos}`)).toEqual(
      Array(40).fill('entregada 1'),
    );
    expect(ids()).toHaveLength(40);
  });

  it('is made exactly once by two processes', async () => {
    const second = await createTestApp({
      database: app.test.database,
      env: { ROLE: 'all', ...ALLOW_PRIVATE, ...store().env },
    });
    try {
      const merchants = [merchant, await second.keyOf(merchant.id)];
      await Promise.all(Array.from({ length: 40 }, (_, i) => app.hooks.guia(merchants[i % 2]!)));
      await eventually(() => expect(new Set(ids()).size).toBe(40));
      await settled(app.test);
      expect(ids()).toHaveLength(40);
    } finally {
      await second.close();
    }
  });
}

describe('a delivery, with queues in PostgreSQL,', () => {
  itIsNeverLost(() => ({
    env: {},
    wipe: ({ hooks }) =>
      Promise.all([hooks.quick, hooks.queue].map((queue) => queue.obliterate({ force: true }))),
  }));
});

describeWithRedis('a delivery, with queues on Redis,', () => {
  let redis: TestRedis;

  beforeAll(async () => {
    redis = await startRedis();
  });

  itIsNeverLost(() => ({ env: { REDIS_URL: redis.url }, wipe: () => redis.flushAll() }));

  // Last: an app that closes without its Redis leaves timers behind.
  afterAll(() => redis.stop());
});
