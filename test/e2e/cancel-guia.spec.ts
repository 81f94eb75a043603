import { GUIA_ESTADOS } from '../../src/guias/guia-estado.js';
import { Lives } from '../support/lives.js';
import { createBridgedApp, type BridgedApp } from '../support/messaging.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import type { TestMerchant, TestOperator } from '../support/test-app.js';

const GUIAS = '/api/v1/guias';
const CANCELLABLE = ['aceptado', 'en_camino_a_recoger', 'cancelado'];
const ROUNDS = 20;

describe('POST /api/v1/guias/{id}/cancelar', () => {
  let app: BridgedApp;
  let merchant: TestMerchant;
  let operator: TestOperator;
  let lives: Lives;

  beforeAll(async () => {
    app = await createBridgedApp();
    merchant = await app.test.merchant();
    operator = await app.test.operator();
    lives = new Lives(app.test, merchant);
  });
  afterAll(() => app.close());

  const cancel = (id: string, body?: unknown, by = merchant) => by.post(`${GUIAS}/${id}/cancelar`, body);

  it.each(['aceptado', 'en_camino_a_recoger'] as const)('cancels a guide that is %s', async (estado) => {
    const guia = await lives.in(estado);
    const before = (await lives.read(guia)).guia;
    const { status, body, headers } = await cancel(guia.id, { nota: ' El cliente ya no lo quiere ' });
    expect([status, headers.get('etag')]).toEqual([200, '"2"']);
    expect(body).toEqual({
      ok: true,
      guia: { ...before, estado: 'cancelado', actualizada_en: expect.any(String) },
    });
    expect(await lives.read(guia)).toEqual({ guia: body.guia, etag: '"2"' });
    expect((await lives.events(guia)).slice(1)).toEqual([
      expect.objectContaining({
        secuencia: 2,
        tipo: 'guia.cancelada',
        actor: 'comercio',
        estado: 'cancelado',
        estado_anterior: estado,
        nota: 'El cliente ya no lo quiere',
      }),
    ]);
  });

  it.each(GUIA_ESTADOS.filter((estado) => !CANCELLABLE.includes(estado)))(
    'not one that is %s: 409, and nothing has changed',
    async (estado) => {
      const guia = await lives.in(estado);
      const before = await lives.stored(guia);
      const answer = await cancel(guia.id);
      expectProblem(answer, 'transicion_invalida');
      expect(answer.body.detail).toContain(`\`${estado}\``);
      expect(await lives.stored(guia)).toEqual(before);
    },
  );

  it('may be repeated: 200 with the guide, and nothing more is recorded', async () => {
    const guia = await lives.create();
    const first = await cancel(guia.guia, { nota: 'primera' });
    const before = await lives.stored(guia);
    for (const body of [undefined, {}, { nota: 'segunda' }]) {
      const again = await cancel(guia.id, body);
      expect([again.status, again.headers.get('etag'), again.body]).toEqual([200, '"2"', first.body]);
    }
    expect(await lives.stored(guia)).toEqual(before);
  });

  it('is harmless where an operator was first', async () => {
    const guia = await lives.create();
    await operator.move(guia.id, { estado: 'cancelado' });
    expect((await cancel(guia.id)).status).toBe(200);
    expect((await lives.events(guia)).map(({ actor }) => actor)).toEqual(['comercio', 'operador']);
  });

  it.each<[what: string, init: RequestInit]>([
    ['no body', {}],
    ['an empty body that is called JSON', { body: '', headers: { 'content-type': 'application/json' } }],
    ['no body that is called JSON', { headers: { 'content-type': 'application/json' } }],
    ['null', { body: 'null', headers: { 'content-type': 'application/json' } }],
    ['{}', { body: '{}', headers: { 'content-type': 'application/json; charset=utf-8' } }],
    ['an empty note', { body: '{"nota": " "}', headers: { 'content-type': 'application/json' } }],
  ])('needs no body: %s', async (_, init) => {
    const guia = await lives.create();
    const headers = { authorization: `Bearer ${merchant.key}`, ...init.headers };
    const { status, body } = await app.test.request(`${GUIAS}/${guia.id}/cancelar`, {
      method: 'POST',
      ...init,
      headers,
    });
    expect([status, body.guia?.estado]).toEqual([200, 'cancelado']);
    expect((await lives.events(guia)).at(-1).nota).toBeNull();
  });

  it('refuses a body that it cannot read, and cancels nothing', async () => {
    const guia = await lives.create();
    const before = await lives.stored(guia);
    expectFaults(await cancel(guia.id, { nota: 'a\0' }), ['nota: formato']);
    expectFaults(await cancel(guia.id, { nota: 'x'.repeat(501) }), ['nota: demasiado_largo']);
    expectFaults(await cancel(guia.id, { nota: 5 }), ['nota: tipo']);
    expectFaults(await cancel(guia.id, { motivo: 'x', estado: 'cancelado' }), [
      'motivo: campo_desconocido',
      'estado: campo_desconocido',
    ]);
    expectFaults(await cancel(guia.id, []), ['cuerpo: tipo']);
    expectFaults(await merchant.post(`${GUIAS}/${guia.id}/cancelar?nota=x`), ['nota: campo_desconocido']);
    expectProblem(await cancel(guia.id, '{'), 'json_invalido');
    expectProblem(
      await merchant.post(`${GUIAS}/${guia.id}/cancelar`, 'nota=x', {
        'content-type': 'application/x-www-form-urlencoded',
      }),
      'tipo_no_soportado',
    );
    expect(await lives.stored(guia)).toEqual(before);
  });

  it('404 for a guide of another merchant, which is left alone, and for one that is none', async () => {
    const guia = await lives.create();
    const before = await lives.stored(guia);
    const other = await app.test.merchant();
    for (const name of [guia.id, guia.guia, 'x', '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57'])
      expectProblem(await cancel(name, undefined, other), 'no_encontrado');
    expect(await lives.stored(guia)).toEqual(before);
  });

  it('403 with a key that may only read', async () => {
    const guia = await lives.create();
    const reader = await app.test.keyOf(merchant.id, { scopes: ['guias:leer'] });
    expectProblem(await cancel(guia.id, undefined, reader), 'sin_permiso');
    expect((await lives.read(guia)).guia.estado).toBe('aceptado');
  });

  it('leaves out the message that waits for its recipient', async () => {
    const { messaging, bridge } = app;
    const telefono = '+50255559001';
    bridge.answerTo(telefono, { status: 503 });
    const guia = await messaging.create(merchant, { telefono });
    const message = await messaging.waiting(guia);
    expect((await cancel(guia.id)).status).toBe(200);
    await messaging.due(message);
    expect(await messaging.reached(guia, 'omitido')).toMatchObject({
      causa: expect.stringContaining('ya no espera'),
    });
    expect(bridge.sentTo(telefono)).toHaveLength(1);
    expect((await lives.events(guia)).map(({ tipo }) => tipo)).toEqual(['guia.creada', 'guia.cancelada']);
  });

  it(`against an operator who picks up, ${ROUNDS} times: one of the two wins, and the other is told`, async () => {
    const won = { cancelado: 0, recogido: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const guia = await lives.in('en_camino_a_recoger');
      const both = [() => cancel(guia.id), () => operator.move(guia.id, { estado: 'recogido' })];
      if (round % 2) both.reverse();
      const [cancelled, moved] = await Promise.all(both.map((run) => run())).then((answers) =>
        round % 2 ? answers.reverse() : answers,
      );
      const { estado } = (await lives.read(guia)).guia as { estado: keyof typeof won };
      const outcome = { cancelado: [200, 409], recogido: [409, 201] }[estado];
      expect([cancelled!.status, moved!.status]).toEqual(outcome);
      expect((await lives.events(guia)).map((event) => event.estado)).toEqual(['aceptado', estado]);
      won[estado]++;
    }
    expect(won.cancelado + won.recogido).toBe(ROUNDS);
  });
});
