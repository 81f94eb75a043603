import { RelayService } from '../../src/events/relay.service.js';
import { DELIVERIES } from '../../src/webhooks/deliveries/deliveries.work.js';
import { LostJobsService } from '../../src/work/lost-jobs.service.js';
import { DeliveriesProcessor, type DeliveryJob } from '../../src/webhooks/deliveries/deliveries.processor.js';
import { eventually, settled } from '../support/eventually.js';
import type { StubReply } from '../support/http-stub.js';
import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.js';
import { createTestApp, type TestMerchant } from '../support/test-app.js';
import {
  ALLOW_PRIVATE,
  createHookedApp,
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
  const restore = () => app.test.app.get(LostJobsService).restore(DELIVERIES);
  /** Lets so many seconds pass for a delivery, but not for its job. */
  const age = (delivery: StoredDelivery, seconds: number) =>
    app.test.database.query(
      'update webhook_entregas set proximo_en = now() - make_interval(secs => $2) where mensaje_id = $1',
      [delivery.mensaje_id, seconds],
    );
  /** Has the event of a delivery dispatched a second time. */
  const dispatchAgain = async ({ guia }: StoredDelivery) => {
    await app.test.database.query(
      'update eventos e set despachado_en = null from guias g where g.guia = $1 and e.guia_id = g.id',
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
    await app.hooks.job(delivery, 'delayed');
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

  it('is queued again with the same id and body after the queue lost its job', async () => {
    const delivery = await waiting();
    await store().wipe(app);
    expect(await app.hooks.queue.getJobState(app.hooks.jobId(delivery))).toBe('unknown');
    await age(delivery, 11);
    await restore();
    await app.hooks.reached(delivery, { estado: 'entregada', intentos: 2, ronda: 1 });
    const [first, second] = app.receiver.at(endpoint.at);
    expect(ids()).toEqual([delivery.mensaje_id, delivery.mensaje_id]);
    expect(second!.rawBody).toEqual(first!.rawBody);
    verified(endpoint.secreto, second!);
  });

  it('is queued again 10 s after it was due without a job, but not while its job waits', async () => {
    const ended = await waiting();
    await (await app.hooks.queue.getJob(app.hooks.jobId(ended)))!.promote();
    await app.hooks.job(ended, 'delayed');
    await app.hooks.queue.remove(app.hooks.jobId(ended));
    const patient = await waiting();
    await age(patient, 11);
    await age(ended, 5);
    await restore();
    expect([await app.hooks.now(ended), await app.hooks.now(patient)]).toMatchObject([
      { ronda: 0 },
      { ronda: 0 },
    ]);
    await age(ended, 11);
    await restore();
    await app.hooks.reached(ended, { estado: 'entregada', ronda: 1 });
    expect(await app.hooks.now(patient)).toMatchObject({ estado: 'pendiente', ronda: 0 });
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

  it('is made once when many lost jobs are restored at once', async () => {
    const count = 40;
    await makeDeliveries(app.test.database, endpoint, { count, estado: 'pendiente' });
    await restore();
    await eventually(() => expect(new Set(ids()).size).toBe(count));
    await settled(app.test);
    expect(ids()).toHaveLength(count);
  });

  it('is not made by a job of an earlier round', async () => {
    const delivery = await waiting();
    await app.test.database.query(
      'update webhook_entregas set ronda = ronda + 1, proximo_en = now() where mensaje_id = $1',
      [delivery.mensaje_id],
    );
    await (await app.hooks.job(delivery, 'delayed')).promote();
    expect((await app.hooks.job(delivery, 'completed')).returnvalue).toContain('Otra tarea');
    expect(ids()).toHaveLength(1);
    expect(await app.hooks.now(delivery)).toMatchObject({ estado: 'pendiente', intentos: 1 });
  });

  it('continues once in the slow queue, even if its worker was killed after the first attempt', async () => {
    const delivery = await quick({ fault: 'reset' });
    await app.hooks.reached(delivery, { estado: 'pendiente', intentos: 1, lenta: true });
    await app.hooks.job(delivery, 'delayed');
    const job = (await app.hooks.quick.getJob(app.hooks.jobId(delivery))) as DeliveryJob;
    expect(await app.test.app.get(DeliveriesProcessor).process(job)).toContain('webhooks-lentos');
    expect(await app.hooks.now(delivery)).toMatchObject({ estado: 'pendiente', intentos: 1 });
    await app.hooks.due(delivery);
    await app.hooks.reached(delivery, { estado: 'entregada', intentos: 2 });
    expect(ids()).toEqual([expect.any(String), delivery.mensaje_id, delivery.mensaje_id]);
  });

  it('is re-enqueued in the queue it was in', async () => {
    const delivery = await quick();
    await app.hooks.reached(delivery, { estado: 'entregada', lenta: false });
    await store().wipe(app);
    await app.test.database.query(
      `update webhook_entregas set estado = 'pendiente', proximo_en = now() - interval '1 minute' where mensaje_id = $1`,
      [delivery.mensaje_id],
    );
    await restore();
    await app.hooks.reached(delivery, { estado: 'entregada', lenta: false, ronda: 1 });
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
      env: { ...ALLOW_PRIVATE, ...store().env },
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
