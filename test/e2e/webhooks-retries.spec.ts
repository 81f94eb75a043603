import { basic } from '../support/board.js';
import { eventually, settled } from '../support/eventually.js';
import type { TestMerchant } from '../support/test-app.js';
import { createHookedApp, FAILURE, gate, verified, type Endpoint } from '../support/webhooks.js';
import { opened } from '../support/use.js';

const BOARD = '/admin/queues/api/queues/webhooks-lentos';

/** s before each attempt after the first, as Standard Webhooks recommends. */
const DELAYS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

describe('a delivery that fails', () => {
  let merchant: TestMerchant;
  let endpoint: Endpoint;

  const app = opened(() => createHookedApp({ env: { BOARD_USERS: 'ana:clave-de-ana' } }));
  beforeEach(async () => {
    merchant = await app.test.merchant();
    endpoint = await app.hooks.endpoint(merchant);
  });

  const webhook = async () => (await merchant.get(endpoint.path)).body.webhook;
  const sent = () => app.receiver.at(endpoint.at);
  /** As if the endpoint had failed for so many days. */
  const failingFor = (days: number) =>
    app.test.database.query(
      `update webhooks set falla_desde = now() - make_interval(days => $2, mins => 1) where id = $1`,
      [endpoint.id, days],
    );

  it('is attempted ten times, with growing delays and the same body', async () => {
    app.receiver.alwaysAt(endpoint.at, { status: 500, body: 'ay' });
    // The second attempt is due after 5 s: it waits for this test.
    const second = gate();
    app.receiver.answerAt(endpoint.at, { status: 500 }, { status: 500, until: second.until });
    const delivery = await app.hooks.delivery(endpoint);
    for (const [i, seconds] of DELAYS.entries()) {
      const { espera, causa } = await app.hooks.reached(delivery, { estado: 'pendiente', intentos: i + 1 });
      expect(causa).toBe('El endpoint respondió 500; se esperaba 2xx. Revise su registro.');
      expect(espera).toBeGreaterThanOrEqual(0.9 * seconds);
      expect(espera).toBeLessThanOrEqual(1.1 * seconds);
      if (i === 0) {
        await app.hooks.due(delivery);
        second.open();
        continue;
      }
      // The job of the attempt before may still wait: it runs, finds nothing due, and waits anew.
      await eventually(async () => {
        const { delay } = await app.hooks.delayed(endpoint);
        expect(Math.abs(delay - 1_000 * espera)).toBeLessThan(10_000);
      });
      await app.hooks.due(delivery);
    }
    const { causa } = await app.hooks.reached(delivery, { estado: 'fallida', intentos: 10 });
    expect(causa).toMatch(/respondió 500.*Se intentó 10 veces en tres días\.$/);
    await app.hooks.idle(endpoint);
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

  it('permanently is attempted again, as often as at first, when it is resent', async () => {
    const delivery = await app.hooks.delivery(endpoint, FAILURE);
    await app.hooks.failForGood(endpoint, delivery);
    expect((await merchant.post(`${endpoint.path}/reenviar`, { entrega: delivery.mensaje_id })).status).toBe(
      200,
    );
    await app.hooks.reached(delivery, { estado: 'pendiente', intentos: 1, ronda: 1 });
    app.receiver.alwaysAt(endpoint.at, {});
    await app.hooks.due(delivery);
    await app.hooks.reached(delivery, { estado: 'entregada', intentos: 2, causa: null });
    expect(sent()).toHaveLength(12);
  });

  it('leaves on the board a job of its endpoint that is due with its next attempt', async () => {
    const delivery = await app.hooks.delivery(endpoint, FAILURE);
    await app.hooks.reached(delivery, { intentos: 1 });
    const { id } = await app.hooks.delayed(endpoint);
    const { body } = await app.test.request(`${BOARD}/${id}`, { headers: basic() });
    expect(body).toMatchObject({
      status: 'delayed',
      job: { name: 'Avisos de un endpoint', data: { webhookId: endpoint.id } },
    });
  });

  it('is counted by state in the metrics of its queue', async () => {
    const delivery = await app.hooks.delivery(endpoint, FAILURE);
    await app.hooks.reached(delivery, { intentos: 1 });
    await app.hooks.delayed(endpoint);
    const { text } = await app.test.request('/metrics');
    const figure = (state: string) =>
      Number(
        new RegExp(`^queue_jobs\\{queue="webhooks-lentos",state="${state}"\\} (\\d+)$`, 'm').exec(text)?.[1],
      );
    expect(figure('delayed')).toBeGreaterThanOrEqual(1);
    for (const state of ['waiting', 'active', 'failed']) expect(figure(state)).toBeGreaterThanOrEqual(0);
  });

  it.each([
    [429, '120', 120],
    // Never sooner than scheduled.
    [503, '1', 5],
    [404, undefined, 5],
  ])('with %s and Retry-After %s is retried after %d s', async (status, after, seconds) => {
    const headers: Record<string, string> = after === undefined ? {} : { 'retry-after': after };
    const retry = gate();
    const delivery = await app.hooks.delivery(endpoint, { status, headers }, { until: retry.until });
    const { espera } = await app.hooks.reached(delivery, { estado: 'pendiente', intentos: 1 });
    expect(espera).toBeGreaterThanOrEqual((seconds === 5 ? 0.9 : 1) * seconds);
    expect(espera).toBeLessThanOrEqual(1.1 * seconds);
    retry.open();
    await app.hooks.due(delivery);
    await app.hooks.reached(delivery, { estado: 'entregada', intentos: 2 });
  });

  describe('at an endpoint that', () => {
    it('answers 410 disables it: pending deliveries fail when due, new ones without an attempt', async () => {
      const other = await app.hooks.endpoint(merchant);
      const pending = await app.hooks.delivery(endpoint, FAILURE);
      await app.hooks.reached(pending, { intentos: 1 });
      const refused = await app.hooks.delivery(endpoint, { status: 410 });
      const { causa } = await app.hooks.reached(refused, { estado: 'fallida', intentos: 1 });
      expect(causa).toBe('El endpoint respondió 410: no quiere más avisos. El webhook quedó desactivado.');
      expect(await webhook()).toMatchObject({
        activo: false,
        desactivado_en: expect.any(String),
        desactivado_por: 'respuesta_410',
      });
      await app.hooks.due(pending);
      const closed = await app.hooks.reached(pending, { estado: 'fallida' });
      expect(closed.causa).toBe('El webhook está desactivado. Actívelo y reenvíe la entrega.');
      await app.hooks.guia(merchant);
      await eventually(async () => expect(await app.hooks.of(other)).toHaveLength(3));
      await settled(app.test);
      const [, , unsent, ...rest] = await app.hooks.of(endpoint);
      expect(unsent).toMatchObject({ estado: 'fallida', intentos: 0, causa: closed.causa });
      expect(rest).toEqual([]);
      await app.hooks.idle(endpoint);
      expect(sent()).toHaveLength(2);
    });

    it('has failed for five days disables it, until its merchant enables it again', async () => {
      const first = await app.hooks.delivery(endpoint, FAILURE);
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

    it('failed during another attempt ends its failure period once that attempt succeeds', async () => {
      // Quick by then, so that the attempt under way knows of no failure.
      await app.hooks.reached(await app.hooks.delivery(endpoint), { estado: 'entregada' });
      const fails = `update webhooks set falla_desde = now(), lento = true where id = $1`;
      const succeeding = await app.hooks.delivery(endpoint, async () => {
        await app.test.database.query(fails, [endpoint.id]);
        return { status: 204 };
      });
      await app.hooks.reached(succeeding, { estado: 'entregada' });
      const state = 'select falla_desde, lento from webhooks where id = $1';
      expect(await app.test.database.query(state, [endpoint.id])).toEqual([
        { falla_desde: null, lento: false },
      ]);
    });

    it('got a new URL during an attempt has not succeeded there', async () => {
      await app.hooks.reached(await app.hooks.delivery(endpoint), { estado: 'entregada' });
      const fails = `update webhooks set falla_desde = now() where id = $1`;
      const succeeding = await app.hooks.delivery(endpoint, async () => {
        await merchant.patch(endpoint.path, { url: `${app.receiver.url}${endpoint.at}/nueva` });
        await app.test.database.query(fails, [endpoint.id]);
        return { status: 204 };
      });
      await app.hooks.reached(succeeding, { estado: 'entregada' });
      const state = 'select falla_desde, lento from webhooks where id = $1';
      expect(await app.test.database.query(state, [endpoint.id])).toEqual([
        { falla_desde: expect.any(Date), lento: true },
      ]);
    });

    it('has failed for less than five days, or succeeded meanwhile, does not disable it', async () => {
      await app.hooks.reached(await app.hooks.delivery(endpoint, FAILURE), { intentos: 1 });
      await failingFor(4);
      await app.hooks.reached(await app.hooks.delivery(endpoint, FAILURE), { intentos: 1 });
      await failingFor(6);
      await app.hooks.reached(await app.hooks.delivery(endpoint), { estado: 'entregada' });
      expect(await webhook()).toMatchObject({ activo: true, falla_desde: null });
      await app.hooks.reached(await app.hooks.delivery(endpoint, FAILURE), {
        estado: 'pendiente',
        intentos: 1,
      });
      expect(await webhook()).toMatchObject({ activo: true });
    });

    it.each<[how: string, end: () => Promise<unknown>, causa: RegExp, kept: number]>([
      [
        'is disabled by its merchant',
        () => merchant.patch(endpoint.path, { activo: false }),
        /^El webhook está desactivado\./,
        2,
      ],
      ['is deleted by its merchant', () => merchant.delete(endpoint.path), /^El webhook fue eliminado\.$/, 1],
    ])('%s fails when due, and nothing more is sent', async (_how, end, causa, kept) => {
      const delivery = await app.hooks.delivery(endpoint, FAILURE);
      await app.hooks.reached(delivery, { intentos: 1 });
      await end();
      await app.hooks.due(delivery);
      expect((await app.hooks.reached(delivery, { estado: 'fallida' })).causa).toMatch(causa);
      await app.hooks.guia(merchant);
      await settled(app.test);
      expect(await app.hooks.of(endpoint)).toHaveLength(kept);
      expect(sent()).toHaveLength(1);
    });

    it('is disabled for more than 30 days has no new deliveries, until it is enabled', async () => {
      const other = await app.hooks.endpoint(merchant);
      await merchant.patch(endpoint.path, { activo: false });
      const disabledFor = (days: number) =>
        app.test.database.query(
          'update webhooks set desactivado_en = now() - make_interval(days => $2) where id = $1',
          [endpoint.id, days],
        );
      await disabledFor(29);
      await app.hooks.delivery(other);
      expect(await app.hooks.of(endpoint)).toMatchObject([{ estado: 'fallida', intentos: 0 }]);
      await disabledFor(31);
      await app.hooks.delivery(other);
      expect(await app.hooks.of(endpoint)).toHaveLength(1);
      await merchant.patch(endpoint.path, { activo: true });
      await app.hooks.delivery(endpoint);
      expect(await app.hooks.of(endpoint)).toHaveLength(2);
    });

    it('is disabled during the attempt gets that as the cause, not days of failures', async () => {
      const answer = gate();
      const delivery = await app.hooks.delivery(endpoint, { status: 500, until: answer.until });
      await eventually(() => expect(sent()).toHaveLength(1));
      await merchant.patch(endpoint.path, { activo: false });
      answer.open();
      const { causa } = await app.hooks.reached(delivery, { estado: 'fallida' });
      expect(causa).toMatch(/respondió 500.* El webhook está desactivado\.$/);
    });

    it('has a new URL is sent there', async () => {
      const delivery = await app.hooks.delivery(endpoint, FAILURE);
      await app.hooks.reached(delivery, { intentos: 1 });
      await merchant.patch(endpoint.path, { url: `${app.receiver.url}${endpoint.at}/nueva` });
      await app.hooks.due(delivery);
      await app.hooks.reached(delivery, { estado: 'entregada' });
      expect(app.receiver.at(`${endpoint.at}/nueva`)).toHaveLength(1);
    });
  });

  it('is logged without URL and response', async () => {
    await merchant.patch(endpoint.path, { url: `${app.receiver.url}${endpoint.at}?clave=secretisima` });
    app.receiver.answerAt(`${endpoint.at}?clave=secretisima`, { ...FAILURE, body: 'contestación' });
    const delivery = await app.hooks.delivery(endpoint);
    const { causa } = await app.hooks.reached(delivery, { estado: 'pendiente', intentos: 1 });
    const told = JSON.stringify([app.test.logs, await app.hooks.delayed(endpoint), causa]);
    expect(told).toContain(endpoint.id);
    expect(told).not.toMatch(/secretisima|contestación/);
  });
});
