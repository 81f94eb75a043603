import { setTimeout as sleep } from 'node:timers/promises';
import { SlowDeliveriesProcessor } from '../../src/webhooks/deliveries/deliveries.processor.js';
import { DeliveryLimits } from '../../src/webhooks/deliveries/delivery-limits.js';
import { eventually } from '../support/eventually.js';
import type { TestMerchant } from '../support/test-app.js';
import { opened } from '../support/use.js';
import { createHookedApp, FAILURE, gate, type Endpoint } from '../support/webhooks.js';

/** Concurrent attempts of one process to an endpoint and to a merchant's endpoints, in each queue. */
const QUICK_SLOTS = 4;
const SLOW_SLOTS = 2;
const MERCHANT_SLOTS = 8;

const app = opened(() => createHookedApp());

describe('deliveries to endpoints that answer quickly', () => {
  let merchant: TestMerchant;

  beforeEach(async () => {
    merchant = await app.test.merchant();
  });
  afterEach(() => Object.assign(app.test.app.get(DeliveryLimits), new DeliveryLimits()));

  const sent = ({ at }: Endpoint) => app.receiver.at(at);
  const detail = async ({ merchant, path }: Endpoint, id: string) =>
    (await merchant.get(`${path}/entregas/${id}`)).body.entrega;

  it('are in the quick queue; those to an endpoint that has not answered yet are in the slow queue', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    for (const lenta of [true, false, false])
      await app.hooks.reached(await app.hooks.delivery(endpoint), { estado: 'entregada', lenta });
  });

  it.each<[what: string, change: (endpoint: Endpoint) => Promise<unknown>]>([
    [
      'fails',
      async (endpoint) => app.hooks.reached(await app.hooks.delivery(endpoint, FAILURE), { intentos: 1 }),
    ],
    ['has a new URL', ({ path, at }) => merchant.patch(path, { url: `${app.receiver.url}${at}?nueva` })],
  ])('go to the slow queue once their endpoint %s', async (_what, change) => {
    const endpoint = await app.hooks.quickEndpoint(merchant);
    await change(endpoint);
    await app.hooks.reached(await app.hooks.delivery(endpoint), { estado: 'entregada', lenta: true });
    await app.hooks.reached(await app.hooks.delivery(endpoint), { estado: 'entregada', lenta: false });
  });

  it('that time out are repeated with the same id and the full timeout; only that attempt counts', async () => {
    const endpoint = await app.hooks.quickEndpoint(merchant);
    Object.assign(app.test.app.get(DeliveryLimits), { quickAttemptMs: 200 });
    const answer = gate();
    const delivery = await app.hooks.delivery(endpoint, { fault: 'hang' }, { until: answer.until });
    await eventually(() => expect(sent(endpoint)).toHaveLength(3));
    expect(await app.hooks.now(delivery)).toMatchObject({ estado: 'pendiente', intentos: 0, lenta: true });
    expect((await merchant.get(endpoint.path)).body.webhook.falla_desde).toBeNull();
    answer.open();
    await app.hooks.reached(delivery, { estado: 'entregada', intentos: 1, ronda: 0 });
    expect((await detail(endpoint, delivery.mensaje_id)).historial).toMatchObject([
      { estado_http: null, error: 'ETIMEDOUT' },
      { estado_http: 200 },
    ]);
    const [, first, second] = sent(endpoint);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.rawBody).toEqual(first!.rawBody);
  });

  it('continue while hanging endpoints occupy the whole worker of the slow queue', async () => {
    const { worker } = app.test.app.get(SlowDeliveriesProcessor);
    const before = worker.concurrency;
    const quick = await app.hooks.quickEndpoint(await app.test.merchant());
    const hanging = await app.hooks.endpoint(merchant);
    const patient = await app.hooks.endpoint(await app.test.merchant());
    const answer = gate();
    app.receiver.alwaysAt(hanging.at, answer);
    worker.concurrency = 1;
    try {
      const waiting = [await app.hooks.delivery(hanging)];
      await eventually(() => expect(sent(hanging)).toHaveLength(1));
      waiting.push(await app.hooks.delivery(patient));
      await app.hooks.reached(await app.hooks.delivery(quick), { estado: 'entregada', lenta: false });
      expect(sent(patient)).toHaveLength(0);
      answer.open();
      for (const delivery of waiting) await app.hooks.reached(delivery, { estado: 'entregada' });
    } finally {
      worker.concurrency = before;
    }
  });
});

describe('of deliveries to endpoints that hang,', () => {
  let merchant: TestMerchant;

  beforeAll(() => {
    const limits = { testWaitMs: 0, quickAttemptMs: 600_000, attemptMs: 600_000 };
    Object.assign(app.test.app.get(DeliveryLimits), limits);
  });
  beforeEach(async () => {
    merchant = await app.test.merchant();
  });

  /** Endpoints that answer once the gate is open. */
  const hanging = async (count: number, make: () => Promise<Endpoint>) => {
    const answer = gate();
    const endpoints: Endpoint[] = [];
    for (let n = 0; n < count; n++) {
      endpoints.push(await make());
      app.receiver.alwaysAt(endpoints[n]!.at, answer);
    }
    const sent = () => endpoints.flatMap(({ at }) => app.receiver.at(at)).length;
    return { endpoints, open: answer.open, sent };
  };
  /** Waits until so many requests have been sent, and for a moment in which another could be. */
  const full = async (sent: () => number, count: number) => {
    await eventually(() => expect(sent()).toBe(count));
    await sleep(200);
    expect(sent()).toBe(count);
  };
  const delivered = (endpoints: Endpoint[], count: number) =>
    eventually(async () => {
      const rows = (await Promise.all(endpoints.map((endpoint) => app.hooks.of(endpoint)))).flat();
      expect(rows.filter(({ estado }) => estado === 'entregada')).toHaveLength(count);
    });

  it.each<[string, slots: number, make: () => Promise<Endpoint>]>([
    [`${SLOW_SLOTS} to an endpoint that never answered`, SLOW_SLOTS, () => app.hooks.endpoint(merchant)],
    [
      `${QUICK_SLOTS} to an endpoint that answered before`,
      QUICK_SLOTS,
      () => app.hooks.quickEndpoint(merchant),
    ],
  ])('%s are in flight', async (_what, slots, make) => {
    const { endpoints, open, sent } = await hanging(1, make);
    const before = sent();
    for (let n = 0; n < slots + 2; n++) await app.hooks.guia(merchant);
    await full(sent, before + slots);
    open();
    await delivered(endpoints, before + slots + 2);
  });

  it.each<[string, each: number, make: () => Promise<Endpoint>]>([
    ['that never answered', SLOW_SLOTS, () => app.hooks.endpoint(merchant)],
    ['that answered before', QUICK_SLOTS, () => app.hooks.quickEndpoint(merchant)],
  ])(`${MERCHANT_SLOTS} to all endpoints of a merchant %s are in flight`, async (_what, each, make) => {
    const count = MERCHANT_SLOTS / each + 1;
    const { endpoints, open, sent } = await hanging(count, make);
    const before = sent();
    for (let n = 0; n < each; n++) await app.hooks.guia(merchant);
    await full(sent, before + MERCHANT_SLOTS);
    const [other, neighbour] = [await app.test.merchant(), await app.test.merchant()];
    for (const endpoint of [await app.hooks.endpoint(other), await app.hooks.quickEndpoint(neighbour)])
      await app.hooks.reached(await app.hooks.delivery(endpoint), { estado: 'entregada' });
    open();
    await delivered(endpoints, before + each * count);
  });

  it(`${MERCHANT_SLOTS} tests of a merchant are in flight, although it deletes each endpoint and creates another`, async () => {
    const { endpoints, open, sent } = await hanging(MERCHANT_SLOTS + 1, () => app.hooks.endpoint(merchant));
    for (const [n, { path }] of endpoints.entries()) {
      expect((await merchant.post(`${path}/probar`)).body.entrega.estado).toBe('pendiente');
      if (n === MERCHANT_SLOTS) break;
      await eventually(() => expect(sent()).toBe(n + 1));
      await merchant.delete(path);
    }
    await full(sent, MERCHANT_SLOTS);
    open();
    await delivered(endpoints, MERCHANT_SLOTS + 1);
  });

  it('one test of an endpoint is under way, whoever asks for another', async () => {
    const { endpoints, open, sent } = await hanging(1, () => app.hooks.endpoint(merchant));
    const [endpoint] = endpoints as [Endpoint];
    const probe = async () => (await merchant.post(`${endpoint.path}/probar`)).body.entrega;
    const probes = await Promise.all(Array.from({ length: 10 }, probe));
    const [{ id }] = probes;
    expect(new Set(probes.map((one) => one.id))).toEqual(new Set([id]));
    await eventually(() => expect(sent()).toBe(1));
    expect((await probe()).id).toBe(id);
    open();
    await delivered(endpoints, 1);
    const next = await probe();
    expect(next.id).not.toBe(id);
    await delivered(endpoints, 2);
    expect(sent()).toBe(2);
  });
});
