import { eventually, settled } from '../support/eventually.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import type { Answer, TestMerchant } from '../support/test-app.js';
import {
  createHookedApp,
  FAILURE,
  gate,
  makeDeliveries,
  verified,
  type Endpoint,
} from '../support/webhooks.js';
import { opened } from '../support/use.js';

const UNKNOWN = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('deliveries', () => {
  let merchant: TestMerchant;
  let endpoint: Endpoint;

  const app = opened(() => createHookedApp());
  beforeEach(async () => {
    merchant = await app.test.merchant();
    endpoint = await app.hooks.endpoint(merchant);
  });

  const list = (query = ''): Promise<Answer> => merchant.get(`${endpoint.path}/entregas${query}`);
  const resend = (body: unknown): Promise<Answer> => merchant.post(`${endpoint.path}/reenviar`, body);
  /** Makes so many deliveries and waits until they have arrived; their ids, oldest first. */
  const delivered = async (count: number): Promise<string[]> => {
    await Promise.all(Array.from({ length: count }, () => app.hooks.guia(merchant)));
    return eventually(async () => {
      const rows = await app.hooks.of(endpoint);
      expect(rows.map(({ estado }) => estado)).toEqual(Array(count).fill('entregada'));
      return rows.map(({ mensaje_id }) => mensaje_id);
    });
  };
  /** Inserts delivered ones; their ids, oldest first. */
  const inserted = (count: number): Promise<string[]> =>
    makeDeliveries(app.test.database, endpoint, { count, estado: 'entregada' });
  const sentIds = () => app.receiver.at(endpoint.at).map(({ headers }) => headers['webhook-id'] as string);

  describe('are listed', () => {
    it('with their outcome and last attempt', async () => {
      const { guia } = await app.hooks.guia(merchant);
      const [id] = await eventually(async () => {
        const ids = (await app.hooks.of(endpoint)).filter(({ estado }) => estado === 'entregada');
        expect(ids).toHaveLength(1);
        return ids.map(({ mensaje_id }) => mensaje_id);
      });
      const { status, body } = await list();
      expect(status).toBe(200);
      expect(body).toEqual({
        ok: true,
        entregas: [
          {
            id,
            evento: 'guia.creada',
            guia,
            secuencia: 1,
            estado: 'entregada',
            intentos: 1,
            causa: null,
            creada_en: TIME,
            proximo_intento_en: null,
            ultimo_intento: {
              ...{ en: TIME, ms: expect.any(Number), estado_http: 200, error: null, respuesta: null },
            },
          },
        ],
        siguiente_cursor: null,
      });
      expect(sentIds()).toEqual([id]);
    });

    it('one by one, with all attempts and the body that was sent', async () => {
      const delivery = await app.hooks.delivery(
        endpoint,
        { ...FAILURE, body: `ñ${'x'.repeat(5_000)}` },
        { fault: 'reset' },
        { body: 'ya\0' },
      );
      for (const intentos of [1, 2]) {
        await app.hooks.reached(delivery, { intentos });
        await app.hooks.due(delivery);
      }
      await app.hooks.reached(delivery, { estado: 'entregada' });
      const { body } = await merchant.get(`${endpoint.path}/entregas/${delivery.mensaje_id}`);
      const [sent] = app.receiver.at(endpoint.at);
      expect(body.entrega).toMatchObject({ id: delivery.mensaje_id, intentos: 3, causa: null });
      expect(body.entrega.cuerpo).toEqual(verified(endpoint.secreto, sent!));
      expect(body.entrega.historial).toEqual([
        {
          ...{ en: TIME, ms: expect.any(Number), estado_http: 500, error: null },
          respuesta: `ñ${'x'.repeat(1_022)}`,
        },
        { en: TIME, ms: expect.any(Number), estado_http: null, error: 'ECONNRESET', respuesta: null },
        { en: TIME, ms: expect.any(Number), estado_http: 200, error: null, respuesta: 'ya\uFFFD' },
      ]);
      expect(body.entrega.ultimo_intento).toEqual(body.entrega.historial[2]);
    });

    it('with the time of the next attempt', async () => {
      const delivery = await app.hooks.delivery(endpoint, { status: 503, headers: { 'retry-after': '600' } });
      await app.hooks.reached(delivery, { intentos: 1 });
      const [entrega] = (await list('?estado=pendiente')).body.entregas;
      expect(entrega).toMatchObject({ estado: 'pendiente', causa: expect.stringContaining('503') });
      const { en, ms } = entrega.ultimo_intento;
      const waitMs = Date.parse(entrega.proximo_intento_en) - (Date.parse(en) + ms);
      expect(waitMs).toBeGreaterThanOrEqual(600_000);
      expect(waitMs).toBeLessThanOrEqual(660_000);
    });

    it.each([3, 7])('newest first, each once, in pages of %d', async (limit) => {
      const ids = (await inserted(7)).reverse();
      const walked: string[] = [];
      let cursor = '';
      do {
        const { body } = await list(`?limit=${limit}${cursor}`);
        walked.push(...body.entregas.map(({ id }: { id: string }) => id));
        expect(body.entregas.length).toBe(Math.min(limit, 7 - walked.length + body.entregas.length));
        cursor = body.siguiente_cursor && `&cursor=${body.siguiente_cursor}`;
      } while (cursor);
      expect(walked).toEqual(ids);
    });

    it('in one state if asked for', async () => {
      await inserted(2);
      const failing = await app.hooks.delivery(endpoint, FAILURE);
      await app.hooks.reached(failing, { intentos: 1 });
      const of = async (estado: string) => (await list(`?estado=${estado}`)).body.entregas.length;
      expect([await of('entregada'), await of('pendiente'), await of('fallida')]).toEqual([2, 1, 0]);
    });

    it.each<[query: string, faults: Parameters<typeof expectFaults>[1]]>([
      ['estado=entregada&estado=fallida', ['estado: tipo']],
      ['limit=x&estado=x&orden=asc', ['limit: formato', 'estado: formato', 'orden: campo_desconocido']],
    ])('but ?%s is rejected', async (query, faults) => expectFaults(await list(`?${query}`), faults));

    it('but a cursor that is edited, of other filters or of another endpoint is rejected', async () => {
      await inserted(2);
      const { siguiente_cursor: cursor } = (await list('?limit=1')).body;
      const other = await app.hooks.endpoint(merchant);
      for (const answer of [
        await list(`?cursor=${cursor.slice(1)}A`),
        await list(`?cursor=${cursor}&estado=entregada`),
        await merchant.get(`${other.path}/entregas?cursor=${cursor}`),
        await list('?cursor=x'),
      ])
        expectProblem(answer, 'cursor_invalido');
    });

    it('to their merchant only, and under their own endpoint only', async () => {
      const [id] = await inserted(1);
      const other = await app.hooks.endpoint(merchant);
      const stranger = await app.test.merchant();
      for (const answer of [
        await merchant.get(`${other.path}/entregas/${id}`),
        await merchant.get(`${endpoint.path}/entregas/${UNKNOWN}`),
        await merchant.get(`${endpoint.path}/entregas/x`),
        await stranger.get(`${endpoint.path}/entregas/${id}`),
      ])
        expectProblem(answer, 'no_encontrado');
    });
  });

  describe('are resent', () => {
    it('one of them, with its id and body', async () => {
      const [first, second] = await delivered(2);
      const { status, body } = await resend({ entrega: first });
      expect([status, body]).toEqual([200, { ok: true, reenviadas: 1, siguiente_cursor: null }]);
      await eventually(() => expect(sentIds()).toHaveLength(3));
      expect(sentIds().sort()).toEqual([first, first, second].sort());
      const [one, again] = app.receiver
        .at(endpoint.at)
        .filter(({ headers }) => headers['webhook-id'] === first);
      expect(again!.rawBody).toEqual(one!.rawBody);
      verified(endpoint.secreto, again!);
      await app.hooks.reached(
        { webhook_id: endpoint.id, mensaje_id: first! },
        { estado: 'entregada', intentos: 1 },
      );
      expect((await merchant.get(`${endpoint.path}/entregas/${first}`)).body.entrega.historial).toHaveLength(
        2,
      );
    });

    it('one that waits for a retry: at once, and with all its attempts again', async () => {
      const delivery = await app.hooks.delivery(endpoint, FAILURE, FAILURE);
      await app.hooks.reached(delivery, { intentos: 1 });
      await app.hooks.due(delivery);
      await app.hooks.reached(delivery, { intentos: 2 });
      await app.hooks.delayed(endpoint);
      await resend({ entrega: delivery.mensaje_id });
      await app.hooks.reached(delivery, { estado: 'entregada', intentos: 1, ronda: 1 });
      await app.hooks.idle(endpoint);
      expect(sentIds()).toHaveLength(3);
    });

    it('one whose last attempt is in flight: its outcome no longer counts', async () => {
      const delivery = await app.hooks.delivery(endpoint, FAILURE);
      await app.hooks.reached(delivery, { intentos: 1 });
      await app.test.database.query('update webhook_entregas set intentos = 9 where mensaje_id = $1', [
        delivery.mensaje_id,
      ]);
      const { until, open: answer } = gate();
      app.receiver.answerAt(endpoint.at, { status: 500, until }, { ...FAILURE, status: 503 });
      await app.hooks.due(delivery);
      await eventually(() => expect(sentIds()).toHaveLength(2));
      await resend({ entrega: delivery.mensaje_id });
      answer();
      // Else it would have failed for good.
      await app.hooks.reached(delivery, { estado: 'pendiente', intentos: 1, ronda: 1 });
      await app.hooks.delayed(endpoint);
      await app.hooks.due(delivery);
      await app.hooks.reached(delivery, { estado: 'entregada', intentos: 2 });
    });

    it('all of a time range and state, oldest first', async () => {
      const ids = await delivered(4);
      const at = new Date(Date.now() - 86_400_000);
      const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
      const ranges: [body: Record<string, unknown>, count: number][] = [
        [{ desde: day(0), estado: 'fallida' }, 0],
        [{ desde: day(1) }, 0],
        [{ desde: '2020-01-01', hasta: day(-1) }, 0],
        [{ desde: at.toISOString(), estado: 'entregada' }, 4],
      ];
      for (const [body, count] of ranges) {
        const answer = await resend(body);
        expect({ body, sent: answer.body }).toEqual({
          body,
          sent: { ok: true, reenviadas: count, siguiente_cursor: null },
        });
      }
      await eventually(() => expect(sentIds()).toHaveLength(8));
      expect(sentIds().slice(4).sort()).toEqual([...ids].sort());
    });

    it('all that wait for a retry, at once and only once, but none that is in flight', async () => {
      const waiting = [];
      for (let n = 0; n < 3; n++) waiting.push(await app.hooks.delivery(endpoint, FAILURE));
      for (const delivery of waiting) await app.hooks.reached(delivery, { intentos: 1 });
      const { until, open: answer } = gate();
      const running = await app.hooks.delivery(endpoint, { until });
      await eventually(() => expect(sentIds()).toHaveLength(4));

      const range = { desde: '2020-01-01', estado: 'pendiente' };
      expect((await resend(range)).body).toMatchObject({ reenviadas: 3 });
      for (const delivery of waiting)
        await app.hooks.reached(delivery, { estado: 'entregada', intentos: 1, ronda: 1 });
      expect((await resend(range)).body).toMatchObject({ reenviadas: 0 });
      answer();
      await app.hooks.reached(running, { estado: 'entregada', intentos: 1, ronda: 0 });
      await app.hooks.idle(endpoint);
      expect(sentIds()).toHaveLength(7);
    });

    it.each<[body: unknown, faults: Parameters<typeof expectFaults>[1]]>([
      [{}, ['desde: requerido']],
      [{ entrega: UNKNOWN, desde: '2026-01-01' }, ['entrega: formato']],
      [{ entrega: UNKNOWN, cursor: 'x' }, ['entrega: formato']],
      [{ desde: '2026-01-02', hasta: '2026-01-01' }, ['desde: fuera_de_rango']],
      [
        { desde: 'ayer', hasta: 'hoy', estado: 'x', cursor: 3, todo: true },
        ['desde: formato', 'hasta: formato', 'estado: formato', 'cursor: tipo', 'todo: campo_desconocido'],
      ],
    ])('but %j is rejected', async (body, faults) => expectFaults(await resend(body), faults));

    it('but not one that does not exist or is another merchant’s', async () => {
      const [id] = await delivered(1);
      const stranger = await app.test.merchant();
      const other = await app.hooks.endpoint(stranger);
      for (const answer of [
        await resend({ entrega: UNKNOWN }),
        await resend({ entrega: 'x' }),
        await stranger.post(`${other.path}/reenviar`, { entrega: id }),
        await stranger.post(`${endpoint.path}/reenviar`, { entrega: id }),
      ])
        expectProblem(answer, 'no_encontrado');
      expectProblem(await resend({ desde: '2026-01-01', cursor: 'x' }), 'cursor_invalido');
      await settled(app.test);
      expect(sentIds()).toEqual([id]);
    });
  });
});
