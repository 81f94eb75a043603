import { callersSpan, startCollector, type Collector } from '../support/collector.js';
import { eventually } from '../support/eventually.js';
import { bridgeEnv, newPhone, startBridge, type Bridge } from '../support/messaging.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import { createTestApp, guiaBody, type TestApp } from '../support/test-app.js';
import { opened } from '../support/use.js';
import { ALLOW_PRIVATE, Hooks, startReceiver, type Receiver } from '../support/webhooks.js';

const GUIAS = '/api/v1/guias';

const CREATE = 'POST /api/v1/guias';
const DISPATCH = `${CREATE} > dispatch guia.creada`;
const MESSAGE = `${DISPATCH} > process notificaciones enviar`;
const WEBHOOK = `${DISPATCH} > process webhooks-lentos entregar_pendientes`;

const EVERY_STEP = [
  CREATE,
  DISPATCH,
  MESSAGE,
  `${MESSAGE} > send confirmacion_ubicacion`,
  WEBHOOK,
  `${WEBHOOK} > deliver guia.creada`,
];

interface TracedApp {
  test: TestApp;
  collector: Collector;
  bridge: Bridge;
  receiver: Receiver;
  hooks: Hooks;
  close(): Promise<void>;
}

async function createTracedApp(env: Record<string, string> = {}): Promise<TracedApp> {
  const [collector, bridge, receiver] = [await startCollector(), await startBridge(), await startReceiver()];
  const test = await createTestApp({
    env: { ROLE: 'all', ...collector.env, ...bridgeEnv(bridge.url), ...ALLOW_PRIVATE, ...env },
  });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= test.close());
  return {
    test: { ...test, close },
    collector,
    bridge,
    receiver,
    hooks: new Hooks(test, receiver),
    close: async () => {
      await close();
      await Promise.all([collector, bridge, receiver].map((stub) => stub.close()));
    },
  };
}

/** What holds on either queue store. */
function followsAGuide(app: TracedApp): void {
  it('follows a guide from its request through event and queues to provider and webhook', async () => {
    const merchant = await app.test.merchant();
    const { at } = await app.hooks.endpoint(merchant);
    const caller = callersSpan();
    const telefono = newPhone();
    const { status } = await merchant.post(GUIAS, guiaBody({ telefono }), caller.headers);
    expect(status).toBe(201);
    await eventually(() => expect(app.collector.paths(caller.traceId)).toEqual(EVERY_STEP));

    const spans = app.collector.spans().filter(({ traceId }) => traceId === caller.traceId);
    const named = (name: string) => spans.find((span) => span.name === name)!;
    expect(named(CREATE)).toMatchObject({
      parentSpanId: caller.spanId,
      attributes: { 'http.route': GUIAS, 'http.response.status_code': 201, 'guias.merchant': merchant.id },
    });
    const { spanId } = named('send confirmacion_ubicacion');
    expect(app.bridge.sentTo(telefono)).toMatchObject([
      { headers: { traceparent: `00-${caller.traceId}-${spanId}-01` } },
    ]);
    expect(named('deliver guia.creada').attributes).toMatchObject({
      'server.address': '127.0.0.1',
      'http.response.status_code': 200,
    });
    const [delivery] = app.receiver.at(at);
    expect(Object.keys(delivery!.headers).filter((name) => name.startsWith('trace'))).toEqual([]);
  });
}

describe('tracing', () => {
  const app = opened(() => createTracedApp({ OTEL_SERVICE_NAME: 'guias-de-prueba' }));
  const merchant = opened(() => app.test.merchant());

  followsAGuide(app);

  it('keeps separate traces for guides that are written and dispatched in one batch', async () => {
    const made = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const caller = callersSpan();
        const { body } = await merchant.post(GUIAS, guiaBody({ telefono: newPhone() }), caller.headers);
        return { ...caller, id: body.id as string };
      }),
    );
    const expected = EVERY_STEP.slice(0, 4);
    await eventually(() => {
      for (const { traceId } of made) expect(app.collector.paths(traceId)).toEqual(expected);
    });
    // A message has its event's id, which is its guide's.
    const sent = app.collector.spans().filter(({ name }) => name.startsWith('send'));
    const traceOf = new Map(sent.map((span) => [span.attributes['guias.message'], span.traceId]));
    expect(made.map(({ id }) => traceOf.get(id))).toEqual(made.map(({ traceId }) => traceId));
  });

  it("follows an operator's request to the merchant's webhook", async () => {
    const other = await app.test.merchant();
    const endpoint = await app.hooks.endpoint(other);
    const { id } = await app.hooks.guia(other);
    // Else the job that delivers the creation may deliver the move as well.
    await eventually(async () =>
      expect(await app.hooks.of(endpoint)).toMatchObject([{ estado: 'entregada' }]),
    );
    await app.hooks.idle(endpoint);
    const caller = callersSpan();
    const operator = await app.test.operator();
    const path = `/api/v1/operaciones/guias/${id}/eventos`;
    expect((await operator.post(path, { estado: 'en_camino_a_recoger' }, caller.headers)).status).toBe(201);
    const first = 'POST /api/v1/operaciones/guias/:id/eventos > dispatch guia.estado_cambiado';
    // In either queue: the endpoint may have answered its first delivery by then.
    await eventually(() =>
      expect(app.collector.paths(caller.traceId).at(-1)?.replace('-lentos', '')).toBe(
        `${first} > process webhooks entregar_pendientes > deliver guia.estado_cambiado`,
      ),
    );
  });

  it('follows a map link that is expanded later', async () => {
    const caller = callersSpan();
    // Nothing listens in place of the map services.
    await merchant.post(GUIAS, guiaBody({ maps_url: 'https://maps.app.goo.gl/traza' }), caller.headers);
    const expected = [CREATE, DISPATCH, `${DISPATCH} > process enlaces leer`];
    await eventually(() => expect(app.collector.paths(caller.traceId)).toEqual(expected));
  });

  it('begins a trace for a request without one, or with one that cannot be read', async () => {
    const path = '/api/v1/cobros';
    await merchant.get(path);
    await merchant.get(path, { traceparent: `00-${'0'.repeat(32)}-x-01` });
    await eventually(() => {
      const spans = app.collector.spans().filter(({ name }) => name === `GET ${path}`);
      expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
      expect(spans.map(({ parentSpanId }) => parentSpanId)).toEqual([undefined, undefined]);
    });
  });

  it('leaves out what a caller does not want to be kept, and polled routes', async () => {
    const { traceId, spanId } = callersSpan();
    await merchant.get(GUIAS, { traceparent: `00-${traceId}-${spanId}-00` });
    await app.test.request('/livez');
    const last = callersSpan();
    await merchant.get(GUIAS, last.headers);
    await eventually(() => expect(app.collector.paths(last.traceId)).toHaveLength(1));
    expect(app.collector.paths(traceId)).toEqual([]);
    expect(app.collector.spans().filter(({ name }) => name.includes('livez'))).toEqual([]);
  });

  it('exports no phone, name, address, key, token or URL, not even of what fails', async () => {
    const telefono = newPhone();
    const secrets = { nombre: 'Canaria Nombre', direccion: 'Canaria 5-10', referencia: 'Canaria frente' };
    const { path, at } = await app.hooks.endpoint(merchant);
    const url = `${app.receiver.url}${at}/canario-url?clave=canaria`;
    expect((await merchant.patch(path, { url })).status).toBe(200);
    app.bridge.answerTo(telefono, { status: 400, json: { error: `${telefono} no existe` } });
    app.receiver.alwaysAt(url.slice(app.receiver.url.length), {
      status: 410,
      body: `canario de ${telefono}`,
    });
    const caller = callersSpan();
    const headers = { ...caller.headers, tracestate: 'v=canario', baggage: 'usuario=canario' };
    await merchant.post(GUIAS, guiaBody({ ...secrets, telefono }), headers);
    const { json } = await eventually(() => {
      const [sent] = app.bridge.sentTo(telefono);
      expect(sent).toBeDefined();
      return sent!;
    });
    const enlace = new URL(json.enlace as string);
    await app.test.request(enlace.pathname, { headers: caller.headers });
    await eventually(() => {
      const names = app.collector.paths(caller.traceId).join();
      for (const name of ['GET /c/:token', 'send', 'deliver']) expect(names).toContain(name);
    });
    const exported = app.collector.requests.map(({ rawBody }) => rawBody.toString()).join('\n');
    const found = [telefono.slice(4), 'anari', merchant.key.slice(16), enlace.pathname.slice(3), at].filter(
      (text) => exported.includes(text),
    );
    expect(found).toEqual([]);
    const failed = app.collector
      .spans()
      .filter(({ traceId, status }) => traceId === caller.traceId && status.code === 2);
    expect(failed.map(({ name }) => name.split(' ')[0])).toEqual(expect.arrayContaining(['send', 'deliver']));
  });

  it('names the trace in the log lines of its request and its jobs', async () => {
    const caller = callersSpan();
    const telefono = newPhone();
    app.bridge.answerTo(telefono, { status: 400 });
    await merchant.post(GUIAS, guiaBody({ telefono }), caller.headers);
    await eventually(() => {
      const lines = app.test.logs.filter(({ trace_id }) => trace_id === caller.traceId);
      expect(lines.map(({ msg }) => msg)).toEqual(['request', 'message not accepted']);
    });
  });

  it('blocks nothing while the collector rejects spans, and warns once', async () => {
    app.collector.otherwise({ status: 400 });
    const refusedAfter = async () => {
      const before = app.collector.requests.length;
      expect((await merchant.get(GUIAS)).status).toBe(200);
      await eventually(() => expect(app.collector.requests.length).toBeGreaterThan(before));
    };
    await refusedAfter();
    await refusedAfter();
    app.collector.otherwise({});
    const warnings = app.test.logs.filter(({ msg }) => msg.startsWith('spans were lost'));
    expect(warnings).toHaveLength(1);
  });

  it('names the service, and exports what is left when it stops', async () => {
    const caller = callersSpan();
    await merchant.get(GUIAS, caller.headers);
    await app.test.close();
    expect(app.collector.paths(caller.traceId)).toEqual([`GET ${GUIAS}`]);
    expect(app.collector.resources().at(-1)).toMatchObject({
      'service.name': 'guias-de-prueba',
      'guias.role': 'all',
    });
  });
});

describeWithRedis('tracing with the queues in Redis', () => {
  const redis = opened(startRedis);
  const app = opened(() => createTracedApp({ REDIS_URL: redis.url }));
  afterAll(() => redis.stop());

  followsAGuide(app);
});
