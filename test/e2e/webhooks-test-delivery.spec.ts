import { eventually } from '../support/eventually.js';
import type { StubReply } from '../support/http-stub.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import type { TestMerchant } from '../support/test-app.js';
import { createHookedApp, verified, type Endpoint, type HookedApp } from '../support/webhooks.js';

/** An answer of ours leaves by then. */
const ANSWER_MS = 5_000;

describe('a test of a webhook', () => {
  let app: HookedApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    app = await createHookedApp();
    merchant = await app.test.merchant();
  });
  afterAll(() => app.close());

  const probe = async (endpoint: Endpoint, ...answers: StubReply[]): Promise<any> => {
    app.receiver.answerAt(endpoint.at, ...answers);
    const began = performance.now();
    const { status, body } = await endpoint.merchant.post(`${endpoint.path}/probar`);
    expect(status).toBe(200);
    expect(performance.now() - began).toBeLessThan(ANSWER_MS);
    return body.entrega;
  };
  /** The job of a test, once it has ended; none of them is left failed. */
  const ended = (endpoint: Endpoint, { id }: { id: string }) =>
    app.hooks.job({ webhook_id: endpoint.id, mensaje_id: id }, 'completed');

  it('arrives signed, names no guide, and says what was answered', async () => {
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
    await ended(endpoint, entrega);
  });

  it.each<[answer: StubReply, causa: RegExp]>([
    [{ status: 500, body: 'ay' }, /^El endpoint respondió 500; .*\.$/],
    [{ status: 302, headers: { location: 'https://otra.example/' } }, /redirige .*\(302\)/],
    [{ status: 410 }, /^El endpoint respondió 410: no quiere más avisos\.$/],
    [{ fault: 'reset' }, /ECONNRESET/],
  ])(
    'that fails (%j) says why, is tried once, changes nothing, and is nobody’s task',
    async (answer, causa) => {
      const endpoint = await app.hooks.endpoint(merchant);
      const entrega = await probe(endpoint, answer);
      expect(entrega).toMatchObject({ estado: 'fallida', intentos: 1, proximo_intento_en: null });
      expect(entrega.causa).toMatch(causa);
      await ended(endpoint, entrega);
      expect(app.receiver.at(endpoint.at)).toHaveLength(1);
      expect((await merchant.get(endpoint.path)).body.webhook).toMatchObject({
        activo: true,
        falla_desde: null,
      });
    },
  );

  it('that nothing is answered to is still waited for by itself, and fails after 15 s', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const entrega = await probe(endpoint, { fault: 'hang' });
    expect(entrega).toMatchObject({ estado: 'pendiente', intentos: 0, ultimo_intento: null });
    await eventually(async () => {
      const { body } = await merchant.get(`${endpoint.path}/entregas/${entrega.id}`);
      expect(body.entrega).toMatchObject({
        estado: 'fallida',
        causa: expect.stringContaining('15 segundos'),
      });
      expect(body.entrega.historial).toMatchObject([{ estado_http: null, error: 'ETIMEDOUT' }]);
    });
    await ended(endpoint, entrega);
    expect(app.receiver.at(endpoint.at)).toHaveLength(1);
  });

  it('tells of a disabled webhook whether it can be activated again', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    await merchant.patch(endpoint.path, { activo: false });
    expect(await probe(endpoint, { status: 503 })).toMatchObject({ estado: 'fallida' });
    const entrega = await probe(endpoint);
    expect(entrega).toMatchObject({ estado: 'entregada' });
    await ended(endpoint, entrega);
    expect((await merchant.get(endpoint.path)).body.webhook).toMatchObject({ activo: false });
  });

  it('that arrives ends a time of failures', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    await app.hooks.reached(await app.hooks.delivery(endpoint, { status: 500 }), { intentos: 1 });
    await probe(endpoint);
    expect((await merchant.get(endpoint.path)).body.webhook.falla_desde).toBeNull();
  });
});

describeWithRedis('a test of a webhook while Redis is silent', () => {
  it('is answered in time all the same, and waits', async () => {
    const redis = await startRedis();
    const app = await createHookedApp({ env: { REDIS_URL: redis.url } });
    try {
      const endpoint = await app.hooks.endpoint(await app.test.merchant());
      redis.pause();
      const began = performance.now();
      const { status, body } = await endpoint.merchant.post(`${endpoint.path}/probar`);
      expect([status, body.entrega?.estado]).toEqual([200, 'pendiente']);
      expect(performance.now() - began).toBeLessThan(ANSWER_MS);
    } finally {
      redis.resume();
      await app.close();
      await redis.stop();
    }
  });
});
