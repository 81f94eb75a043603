import { basic } from '../support/board.js';
import { eventually, settled } from '../support/eventually.js';
import type { StubReply } from '../support/http-stub.js';
import type { TestMerchant } from '../support/test-app.js';
import { withTcpServer } from '../support/tcp-server.js';
import { createHookedApp, verified, type Endpoint, type HookedApp } from '../support/webhooks.js';

const BOARD = '/admin/queues/api/queues/webhooks';

/** Seconds before each try after the first, as Standard Webhooks recommends. */
const DELAYS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

describe('a delivery that is not taken', () => {
  let app: HookedApp;
  let merchant: TestMerchant;
  let endpoint: Endpoint;

  beforeAll(async () => {
    app = await createHookedApp({ env: { BOARD_USERS: 'ana:clave-de-ana' } });
  });
  beforeEach(async () => {
    merchant = await app.test.merchant();
    endpoint = await app.hooks.endpoint(merchant);
  });
  afterAll(() => app.close());

  const webhook = async () => (await merchant.get(endpoint.path)).body.webhook;
  const sent = () => app.receiver.at(endpoint.at);
  const put = (path: string) => app.test.request(`${BOARD}/${path}`, { method: 'PUT', headers: basic() });
  /** Lets so many days pass since the endpoint last took something. */
  const failingFor = (days: number) =>
    app.test.database.query(
      `update webhooks set falla_desde = now() - make_interval(days => $2, mins => 1) where id = $1`,
      [endpoint.id, days],
    );

  it('is tried ten times, later and later, always the same, and then fails in sight', async () => {
    app.receiver.alwaysAt(endpoint.at, { status: 500, body: 'ay' });
    const delivery = await app.hooks.delivery(endpoint);
    for (const [i, seconds] of DELAYS.entries()) {
      const { en, causa } = await app.hooks.reached(delivery, { estado: 'pendiente', intentos: i + 1 });
      expect(causa).toBe('El endpoint respondió 500; se esperaba 2xx. Revise su registro.');
      expect(en).toBeGreaterThan(0.9 * seconds - 4);
      expect(en).toBeLessThan(1.1 * seconds);
      const job = await app.hooks.job(delivery, 'delayed');
      expect(Math.abs(job.delay / 1_000 - en)).toBeLessThan(4);
      await app.hooks.due(delivery);
    }
    const { causa } = await app.hooks.reached(delivery, { estado: 'fallida', intentos: 10 });
    expect(causa).toMatch(/respondió 500.*Se intentó 10 veces en tres días\.$/);
    expect((await app.hooks.job(delivery, 'failed')).failedReason).toBe(causa);
    expect(sent()).toHaveLength(10);
    expect(new Set(sent().map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([delivery.mensaje_id]),
    );
    expect(new Set(sent().map(({ rawBody }) => rawBody.toString())).size).toBe(1);
    for (const request of sent()) verified(endpoint.secreto, request);
    const { body } = await merchant.get(`${endpoint.path}/entregas/${delivery.mensaje_id}`);
    expect(body.entrega).toMatchObject({ estado: 'fallida', causa, proximo_intento_en: null });
    expect(body.entrega.historial).toHaveLength(10);
  });

  it('waits on the board, with its cause and its guide; retried there, it has all its tries again', async () => {
    const delivery = await app.hooks.delivery(endpoint, { status: 500 });
    const { causa } = await app.hooks.failForGood(endpoint, delivery);
    await app.hooks.job(delivery, 'failed');
    const { body } = await app.test.request(`${BOARD}/${app.hooks.jobId(delivery)}`, { headers: basic() });
    expect(body).toMatchObject({
      status: 'failed',
      job: {
        failedReason: causa,
        data: { webhookId: endpoint.id, mensajeId: delivery.mensaje_id, ronda: 0, guia: delivery.guia },
        externalUrl: { displayText: `Guía ${delivery.guia}` },
      },
    });
    expect((await put(`${app.hooks.jobId(delivery)}/retry`)).status).toBe(204);
    await app.hooks.reached(delivery, { estado: 'pendiente', intentos: 1 });
    app.receiver.alwaysAt(endpoint.at, {});
    await app.hooks.due(delivery);
    await app.hooks.reached(delivery, { estado: 'entregada', intentos: 2, causa: null });
    expect(sent()).toHaveLength(12);
  });

  it('is counted, by state, in the figures of its queue', async () => {
    const delivery = await app.hooks.delivery(endpoint, { status: 500 });
    await app.hooks.job(delivery, 'delayed');
    const { text } = await app.test.request('/metrics');
    const figure = (state: string) =>
      Number(new RegExp(`^queue_jobs\\{queue="webhooks",state="${state}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
    expect(figure('delayed')).toBeGreaterThanOrEqual(1);
    for (const state of ['waiting', 'active', 'failed']) expect(figure(state)).toBeGreaterThanOrEqual(0);
    const { body } = await app.test.request('/admin/queues/api/queues', { headers: basic() });
    const names = body.queues.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(['enlaces', 'entrantes', 'notificaciones', 'webhooks']);
  });

  it('and others are sent again all at once from the board; what has arrived meanwhile is not', async () => {
    const deliveries = [];
    for (let n = 0; n < 3; n++) deliveries.push(await app.hooks.delivery(endpoint, { status: 500 }));
    for (const delivery of deliveries) await app.hooks.reached(delivery, { intentos: 1 });
    // The last of their tries.
    await app.test.database.query('update webhook_entregas set intentos = 9 where webhook_id = $1', [
      endpoint.id,
    ]);
    app.receiver.alwaysAt(endpoint.at, { status: 500 });
    for (const delivery of deliveries) {
      await app.hooks.due(delivery);
      await app.hooks.job(delivery, 'failed');
    }
    app.receiver.alwaysAt(endpoint.at, {});
    await merchant.post(`${endpoint.path}/reenviar`, { entrega: deliveries[0]!.mensaje_id });
    await app.hooks.reached(deliveries[0]!, { estado: 'entregada' });
    const before = sent().length;
    expect((await put('retry/failed')).status).toBe(200);
    for (const delivery of deliveries) {
      await app.hooks.reached(delivery, { estado: 'entregada' });
      await app.hooks.job(delivery, 'completed');
    }
    await settled(app.test);
    expect(sent()).toHaveLength(before + 2);
  });

  it.each([
    [429, '120', 120],
    [503, '1800', 1_800],
    // Never sooner than by the schedule.
    [503, '1', 5],
    [500, undefined, 5],
    [404, undefined, 5],
  ])('(%s, Retry-After %s) is tried again after so many seconds: %d', async (status, after, seconds) => {
    const headers: Record<string, string> = after === undefined ? {} : { 'retry-after': after };
    const delivery = await app.hooks.delivery(endpoint, { status, headers });
    const { en } = await app.hooks.reached(delivery, { estado: 'pendiente', intentos: 1 });
    expect(en).toBeGreaterThan((after === undefined || seconds === 5 ? 0.9 : 1) * seconds - 4);
    expect(en).toBeLessThan(1.1 * seconds);
    await app.hooks.due(delivery);
    await app.hooks.reached(delivery, { estado: 'entregada', intentos: 2 });
  });

  it('because it is sent elsewhere stays here: nobody follows', async () => {
    const location = `${app.receiver.url}/otro-lugar`;
    const delivery = await app.hooks.delivery(endpoint, { status: 308, headers: { location } });
    const { causa } = await app.hooks.reached(delivery, { estado: 'pendiente', intentos: 1 });
    expect(causa).toMatch(/redirige a otra dirección \(308\)/);
    expect(causa).not.toContain('otro-lugar');
    expect(app.receiver.at('/otro-lugar')).toEqual([]);
  });

  it.each([
    'HTTP/1.1 000 X',
    'HTTP/1.1 099 X',
    'HTTP/1.1 101 X',
    'HTTP/1.1 999 X',
    'HTTP/1.1 200\tX',
    'SSH-2.0-x',
  ])('because the answer is none (%j) is a failure like any other', async (head) => {
    await withTcpServer(
      (socket) => socket.once('data', () => socket.end(`${head}\r\nContent-Length: 0\r\n\r\n`)),
      async (port) => {
        await merchant.patch(endpoint.path, { url: `http://127.0.0.1:${port}/` });
        const delivery = await app.hooks.delivery(endpoint);
        const { en } = await app.hooks.reached(delivery, { estado: 'pendiente', intentos: 1 });
        expect(en).toBeLessThan(6);
        await app.hooks.job(delivery, 'delayed');
      },
    );
  });

  describe('by an endpoint that', () => {
    it('answers 410: it is disabled, the rest fails in sight when due, and what is new without a try', async () => {
      const other = await app.hooks.endpoint(merchant);
      const pending = await app.hooks.delivery(endpoint, { status: 500 });
      await app.hooks.reached(pending, { intentos: 1 });
      const refused = await app.hooks.delivery(endpoint, { status: 410 });
      const { causa } = await app.hooks.reached(refused, { estado: 'fallida', intentos: 1 });
      expect(causa).toBe('El endpoint respondió 410: no quiere más avisos. El webhook quedó desactivado.');
      expect((await app.hooks.job(refused, 'failed')).failedReason).toBe(causa);
      expect(await webhook()).toMatchObject({
        activo: false,
        desactivado_en: expect.any(String),
        desactivado_por: 'respuesta_410',
      });
      await app.hooks.due(pending);
      const closed = await app.hooks.reached(pending, { estado: 'fallida' });
      expect(closed.causa).toBe('El webhook está desactivado. Actívelo y reenvíe la entrega.');
      expect((await app.hooks.job(pending, 'failed')).failedReason).toBe(closed.causa);
      await app.hooks.guia(merchant);
      await eventually(async () => expect(await app.hooks.of(other)).toHaveLength(3));
      await settled(app.test);
      const [, , unsent, ...rest] = await app.hooks.of(endpoint);
      expect(unsent).toMatchObject({ estado: 'fallida', intentos: 0, causa: closed.causa });
      expect(rest).toEqual([]);
      // It would fill the board with what nobody can retry.
      expect(await app.hooks.queue.getJobState(app.hooks.jobId(unsent!))).toBe('unknown');
      expect(sent()).toHaveLength(2);
    });

    it('has failed for five days is disabled, says so, and comes back when its merchant says so', async () => {
      const first = await app.hooks.delivery(endpoint, { status: 500 });
      await app.hooks.reached(first, { intentos: 1 });
      expect(await webhook()).toMatchObject({ activo: true, falla_desde: expect.any(String) });
      await failingFor(5);
      const last = await app.hooks.delivery(endpoint, { status: 503 });
      const { causa } = await app.hooks.reached(last, { estado: 'fallida', intentos: 1 });
      expect(causa).toMatch(/respondió 503.* Tras 5 días de fallas el webhook quedó desactivado\.$/);
      expect(await webhook()).toMatchObject({ activo: false, desactivado_por: 'cinco_dias_de_fallas' });
      await app.hooks.guia(merchant);
      const unsent = await eventually(async () => {
        const [, , missed] = await app.hooks.of(endpoint);
        expect(missed).toMatchObject({ estado: 'fallida', intentos: 0 });
        return missed!;
      });

      const { status, body } = await merchant.patch(endpoint.path, { activo: true });
      expect(status).toBe(200);
      expect(body.webhook).toMatchObject({ activo: true, desactivado_por: null, falla_desde: null });
      await app.hooks.due(first);
      await app.hooks.reached(first, { estado: 'entregada' });
      await merchant.post(`${endpoint.path}/reenviar`, { desde: '2020-01-01', estado: 'fallida' });
      for (const missed of [last, unsent]) await app.hooks.reached(missed, { estado: 'entregada' });
    });

    it('has failed for less than five days, or has taken one meanwhile, goes on', async () => {
      await app.hooks.reached(await app.hooks.delivery(endpoint, { status: 500 }), { intentos: 1 });
      await failingFor(4);
      await app.hooks.reached(await app.hooks.delivery(endpoint, { status: 500 }), { intentos: 1 });
      await failingFor(6);
      await app.hooks.reached(await app.hooks.delivery(endpoint), { estado: 'entregada' });
      expect(await webhook()).toMatchObject({ activo: true, falla_desde: null });
      await app.hooks.reached(await app.hooks.delivery(endpoint, { status: 500 }), {
        estado: 'pendiente',
        intentos: 1,
      });
      expect(await webhook()).toMatchObject({ activo: true });
    });

    it.each<[how: string, end: () => Promise<unknown>, estado: string, causa: RegExp, kept: number]>([
      [
        'its merchant switched off',
        () => merchant.patch(endpoint.path, { activo: false }),
        'failed',
        /^El webhook está desactivado\./,
        2,
      ],
      [
        'its merchant deleted',
        () => merchant.delete(endpoint.path),
        'completed',
        /^El webhook fue eliminado\.$/,
        1,
      ],
    ])('%s gets nothing more, and what was pending ends in sight', async (_how, end, state, causa, kept) => {
      const delivery = await app.hooks.delivery(endpoint, { status: 500 });
      await app.hooks.reached(delivery, { intentos: 1 });
      await end();
      await app.hooks.due(delivery);
      expect((await app.hooks.reached(delivery, { estado: 'fallida' })).causa).toMatch(causa);
      const job = await app.hooks.job(delivery, state);
      expect(state === 'failed' ? job.failedReason : job.returnvalue).toMatch(causa);
      await app.hooks.guia(merchant);
      await settled(app.test);
      expect(await app.hooks.of(endpoint)).toHaveLength(kept);
      expect(sent()).toHaveLength(1);
    });

    it('is switched off while it fails is said to be off, and not to have failed for days', async () => {
      const slow: StubReply = { delayMs: 1_000, status: 500 };
      const delivery = await app.hooks.delivery(endpoint, slow);
      await eventually(() => expect(sent()).toHaveLength(1));
      await merchant.patch(endpoint.path, { activo: false });
      const { causa } = await app.hooks.reached(delivery, { estado: 'fallida' });
      expect(causa).toMatch(/respondió 500.* El webhook está desactivado\.$/);
    });

    it('moves gets what is pending at its new address', async () => {
      const delivery = await app.hooks.delivery(endpoint, { status: 500 });
      await app.hooks.reached(delivery, { intentos: 1 });
      await merchant.patch(endpoint.path, { url: `${app.receiver.url}${endpoint.at}/nueva` });
      await app.hooks.due(delivery);
      await app.hooks.reached(delivery, { estado: 'entregada' });
      expect(app.receiver.at(`${endpoint.at}/nueva`)).toHaveLength(1);
    });
  });

  it('is told to no log by its address or its answer', async () => {
    await merchant.patch(endpoint.path, { url: `${app.receiver.url}${endpoint.at}?clave=secretisima` });
    app.receiver.answerAt(`${endpoint.at}?clave=secretisima`, { status: 500, body: 'contestación' });
    const delivery = await app.hooks.delivery(endpoint);
    const { causa } = await app.hooks.reached(delivery, { estado: 'pendiente', intentos: 1 });
    const job = await app.hooks.job(delivery, 'delayed');
    const told = JSON.stringify([app.test.logs, job, causa]);
    expect(told).toContain(endpoint.id);
    expect(told).not.toMatch(/secretisima|contestación/);
  });
});
