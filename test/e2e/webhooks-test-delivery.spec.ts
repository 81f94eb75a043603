import { DeliveryLogService } from '../../src/webhooks/deliveries/delivery-log.service.js';
import { DeliveryLimits } from '../../src/webhooks/deliveries/delivery-limits.js';
import { eventually } from '../support/eventually.js';
import type { StubReply } from '../support/http-stub.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import type { TestMerchant } from '../support/test-app.js';
import { createHookedApp, FAILURE, verified, type Endpoint, type HookedApp } from '../support/webhooks.js';

describe('a test of an endpoint', () => {
  let app: HookedApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    app = await createHookedApp();
    merchant = await app.test.merchant();
  });
  afterEach(() => Object.assign(app.test.app.get(DeliveryLimits), new DeliveryLimits()));
  afterAll(() => app.close());

  const setLimits = (limits: Partial<DeliveryLimits>) =>
    Object.assign(app.test.app.get(DeliveryLimits), limits);
  const probe = (endpoint: Endpoint, ...answers: StubReply[]) => app.hooks.probe(endpoint, ...answers);

  it('arrives signed, is about no guide, and shows the response', async () => {
    const endpoint = await app.hooks.endpoint(merchant, { eventos: ['guia.cancelada'] });
    const entrega = await probe(endpoint, { status: 201, body: 'gracias' });
    expect(entrega).toEqual({
      id: expect.any(String),
      evento: 'webhook.prueba',
      guia: null,
      secuencia: null,
      estado: 'entregada',
      intentos: 1,
      causa: null,
      creada_en: expect.any(String),
      proximo_intento_en: null,
      ultimo_intento: {
        en: expect.any(String),
        ms: expect.any(Number),
        estado_http: 201,
        error: null,
        respuesta: 'gracias',
      },
    });
    const [request] = app.receiver.at(endpoint.at);
    expect(request!.headers['webhook-id']).toBe(entrega.id);
    expect(verified(endpoint.secreto, request!)).toEqual({
      type: 'webhook.prueba',
      timestamp: expect.any(String),
      data: { webhook: endpoint.id, mensaje: expect.any(String) },
    });
    await app.hooks.idle(endpoint);
  });

  it.each<[answer: StubReply, causa: RegExp]>([
    [{ status: 500, body: 'ay' }, /^El endpoint respondió 500; .*\.$/],
    [{ status: 302, headers: { location: 'https://otra.example/' } }, /redirige .*\(302\)/],
    [{ status: 410 }, /^El endpoint respondió 410: no quiere más avisos\.$/],
    [{ fault: 'reset' }, /ECONNRESET/],
  ])(
    'that fails (%j) has a cause, one attempt, no effect on its endpoint, and is not left on the board',
    async (answer, causa) => {
      const endpoint = await app.hooks.endpoint(merchant);
      const entrega = await probe(endpoint, answer);
      expect(entrega).toMatchObject({ estado: 'fallida', intentos: 1, proximo_intento_en: null });
      expect(entrega.causa).toMatch(causa);
      await app.hooks.idle(endpoint);
      expect(app.receiver.at(endpoint.at)).toHaveLength(1);
      expect((await merchant.get(endpoint.path)).body.webhook).toMatchObject({
        activo: true,
        falla_desde: null,
      });
    },
  );

  it('is answered with its outcome if that comes in time', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    setLimits({ testWaitMs: 600_000 });
    app.receiver.answerAt(endpoint.at, { status: 500 });
    // Not through the API, which answers within 5 s in any case.
    const log = app.test.app.get(DeliveryLogService);
    const entrega = await log.test(
      { id: merchant.id, country: 'GT' } as Parameters<typeof log.test>[0],
      endpoint.id,
    );
    expect(entrega).toMatchObject({ estado: 'fallida', intentos: 1, ultimo_intento: { estado_http: 500 } });
  });

  it('is answered as pending if the endpoint is slow, and gets its outcome later', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    setLimits({ testWaitMs: 100 });
    let answer = () => {};
    const until = new Promise<void>((resolve) => (answer = resolve));
    app.receiver.answerAt(endpoint.at, { status: 500, until });
    const { status, body } = await merchant.post(`${endpoint.path}/probar`);
    expect(status).toBe(200);
    expect(body.entrega).toMatchObject({ estado: 'pendiente', intentos: 0, ultimo_intento: null });
    answer();
    await eventually(async () => {
      const { entrega } = (await merchant.get(`${endpoint.path}/entregas/${body.entrega.id}`)).body;
      expect(entrega).toMatchObject({ estado: 'fallida', historial: [{ estado_http: 500 }] });
    });
    await app.hooks.idle(endpoint);
  });

  it('that gets no response fails at the timeout', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    setLimits({ attemptMs: 300 });
    const entrega = await probe(endpoint, { fault: 'hang' });
    expect(entrega).toMatchObject({
      estado: 'fallida',
      causa: expect.stringContaining('15 segundos'),
      ultimo_intento: { estado_http: null, error: 'ETIMEDOUT' },
    });
    await app.hooks.idle(endpoint);
    const { body } = await merchant.get(`${endpoint.path}/entregas/${entrega.id}`);
    expect(body.entrega.historial).toHaveLength(1);
    expect(app.receiver.at(endpoint.at)).toHaveLength(1);
  });

  it('is sent to a disabled endpoint too, and does not enable it', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    await merchant.patch(endpoint.path, { activo: false });
    expect(await probe(endpoint, { status: 503 })).toMatchObject({ estado: 'fallida' });
    const entrega = await probe(endpoint);
    expect(entrega).toMatchObject({ estado: 'entregada' });
    await app.hooks.idle(endpoint);
    expect((await merchant.get(endpoint.path)).body.webhook).toMatchObject({ activo: false });
  });

  it('that succeeds ends a period of failures', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    await app.hooks.reached(await app.hooks.delivery(endpoint, FAILURE), { intentos: 1 });
    await probe(endpoint);
    expect((await merchant.get(endpoint.path)).body.webhook.falla_desde).toBeNull();
  });
});

describeWithRedis('a test of an endpoint while Redis does not answer', () => {
  it('is answered as pending', async () => {
    const redis = await startRedis();
    const app = await createHookedApp({ env: { REDIS_URL: redis.url } }, { testWaitMs: 100 });
    try {
      const endpoint = await app.hooks.endpoint(await app.test.merchant());
      redis.pause();
      // Within 5 s: a later answer would be a 503.
      const { status, body } = await endpoint.merchant.post(`${endpoint.path}/probar`);
      expect([status, body.entrega?.estado]).toEqual([200, 'pendiente']);
    } finally {
      redis.resume();
      await app.close();
      await redis.stop();
    }
  });
});
