import { DeliveryLogService } from '../../src/webhooks/deliveries/delivery-log.service.js';
import { DeliveryLimits } from '../../src/webhooks/deliveries/delivery-limits.js';
import { eventually } from '../support/eventually.js';
import type { StubReply, StubRequest } from '../support/http-stub.js';
import { dump } from '../support/messaging.js';
import { expectFaults } from '../support/problem.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import { opened } from '../support/use.js';
import { createHookedApp, FAILURE, gate, verified, type Endpoint } from '../support/webhooks.js';

const HOUR_MS = 3_600_000;

const app = opened(() => createHookedApp());
const merchant = opened(() => app.test.merchant());

describe('the secret of an endpoint', () => {
  /** Makes a delivery and waits until it has arrived. */
  const send = async (endpoint: Endpoint): Promise<StubRequest> => {
    const { mensaje_id } = await app.hooks.delivery(endpoint);
    return eventually(() => {
      const found = app.receiver.at(endpoint.at).find(({ headers }) => headers['webhook-id'] === mensaje_id);
      expect(found).toBeDefined();
      return found!;
    });
  };
  const rotate = async ({ path }: Endpoint, body?: unknown): Promise<any> => {
    const { status, body: answer } = await merchant.post(`${path}/rotar`, body);
    expect(status).toBe(200);
    return answer;
  };
  const signatures = ({ headers }: StubRequest) => String(headers['webhook-signature']).split(' ');

  it('is shown only when it is created: not in later answers, logs, rows or jobs', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const { secreto: second } = await rotate(endpoint);
    await send(endpoint);
    app.receiver.answerAt(endpoint.at, FAILURE);
    await send(endpoint);
    const answers = [
      await merchant.get('/api/v1/webhooks'),
      await merchant.get(endpoint.path),
      await merchant.patch(endpoint.path, { descripcion: 'a' }),
      await merchant.get(`${endpoint.path}/entregas`),
      await merchant.post(`${endpoint.path}/probar`),
    ];
    const kept = [
      JSON.stringify(answers.map(({ status, text }) => ({ status, text }))),
      JSON.stringify(app.test.logs),
      await dump(app.test.database),
    ].join('\n');
    expect(kept).toContain(endpoint.id);
    for (const secreto of [endpoint.secreto, second]) {
      const key = Buffer.from(secreto.slice(6), 'base64');
      for (const form of [secreto.slice(6), key.toString('hex'), key.toString('base64url')])
        expect(kept.includes(form)).toBe(false);
    }
  });

  it('is rotated without a gap: both sign until the overlap ends, then the new one alone', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const from = Date.now();
    const { secreto, webhook } = await rotate(endpoint);
    expect(secreto).not.toBe(endpoint.secreto);
    const until = Date.parse(webhook.secreto_anterior_hasta);
    expect(until).toBeGreaterThanOrEqual(from + 24 * HOUR_MS);
    expect(until).toBeLessThanOrEqual(Date.now() + 24 * HOUR_MS);
    const during = await send(endpoint);
    expect(signatures(during)).toHaveLength(2);
    for (const one of [secreto, endpoint.secreto]) verified(one, during);

    const past = "update webhooks set secreto_anterior_hasta = now() - interval '1 second' where id = $1";
    await app.test.database.query(past, [endpoint.id]);
    const after = await send(endpoint);
    expect(signatures(after)).toHaveLength(1);
    verified(secreto, after);
    expect(() => verified(endpoint.secreto, after)).toThrow();
    expect((await merchant.get(endpoint.path)).body.webhook.secreto_anterior_hasta).toBeNull();
  });

  it('ends at once with an overlap of 0', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const { secreto, webhook } = await rotate(endpoint, { solapamiento_horas: 0 });
    expect(webhook.secreto_anterior_hasta).toBeNull();
    const request = await send(endpoint);
    verified(secreto, request);
    expect(() => verified(endpoint.secreto, request)).toThrow();
  });

  it('and the previous one are the only ones that sign, however often it is rotated', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const { secreto: second } = await rotate(endpoint, { solapamiento_horas: 168 });
    const { secreto: third } = await rotate(endpoint, {});
    const request = await send(endpoint);
    for (const one of [second, third]) verified(one, request);
    expect(() => verified(endpoint.secreto, request)).toThrow();
  });

  it('signs retries of messages that were created before it', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const delivery = await app.hooks.delivery(endpoint, FAILURE);
    await app.hooks.reached(delivery, { intentos: 1 });
    const { secreto } = await rotate(endpoint, { solapamiento_horas: 0 });
    await app.hooks.due(delivery);
    await app.hooks.reached(delivery, { estado: 'entregada' });
    const [first, second] = app.receiver.at(endpoint.at);
    verified(endpoint.secreto, first!);
    verified(secreto, second!);
    expect(second!.rawBody).toEqual(first!.rawBody);
  });

  it.each([[{ solapamiento_horas: 169 }, 'fuera_de_rango']] as const)(
    'is not rotated with %j',
    async (body, codigo) => {
      const endpoint = await app.hooks.endpoint(merchant);
      expectFaults(await merchant.post(`${endpoint.path}/rotar`, body), [`solapamiento_horas: ${codigo}`]);
      verified(endpoint.secreto, await send(endpoint));
    },
  );
});

describe('a test of an endpoint', () => {
  afterEach(() => Object.assign(app.test.app.get(DeliveryLimits), new DeliveryLimits()));

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
        ...{ en: expect.any(String), ms: expect.any(Number), estado_http: 201, error: null },
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
      { id: merchant.id, currency: 'GTQ' } as Parameters<typeof log.test>[0],
      endpoint.id,
    );
    expect(entrega).toMatchObject({ estado: 'fallida', intentos: 1, ultimo_intento: { estado_http: 500 } });
  });

  it('is answered as pending if the endpoint is slow, and gets its outcome later', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    setLimits({ testWaitMs: 100 });
    const { until, open: answer } = gate();
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
