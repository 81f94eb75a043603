import { Money } from '../support/money.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { queueOnGuia } from '../support/row-queue.js';
import type { Answer, TestOperator } from '../support/test-app.js';
import { PLACE } from '../support/lives.js';
import { opened, useSharedApp } from '../support/use.js';

type Faults = Parameters<typeof expectFaults>[1];

const UNKNOWN = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
const WHY = { motivo: 'Se marcó otra guía' };

describe('POST /api/v1/operaciones/guias/{id}/deshacer', () => {
  const test = useSharedApp();
  let operator: TestOperator;

  const money = opened(() => Money.start(test));

  beforeAll(() => {
    operator = money.operator;
  });

  const undo = (guia: { id: string }, body: object = WHY, by = operator): Promise<Answer> =>
    by.post(`/api/v1/operaciones/guias/${guia.id}/deshacer`, body);

  /** A new guide after these moves, which operators reported. */
  async function moved(...moves: Record<string, unknown>[]) {
    const guia = await money.lives.create({ cod_amount: 100 });
    for (const move of moves) expect((await operator.move(guia.id, move)).status).toBe(201);
    return guia;
  }
  const ROUTE = [{ estado: 'en_camino_a_recoger' }, { estado: 'recogido' }, { estado: 'en_ruta' }];
  const FAR = { lat: PLACE.lat + 1, lng: PLACE.lng };

  it('takes back a delivery with its amount and its warnings, and the guide can be delivered again', async () => {
    const guia = await moved(...ROUTE, { estado: 'entregado', cod_cobrado: 90, ...FAR, ref: 'entrega' });
    expect((await money.lives.read(guia)).guia).toMatchObject({
      estado: 'entregado',
      cod_cobrado: 90,
      advertencias: ['cod_distinto', 'entrega_lejos'],
    });
    const { status, body } = await undo(guia);
    expect([status, body]).toEqual([
      201,
      {
        ok: true,
        ...guia,
        evento: expect.any(String),
        secuencia: 7,
        estado: 'en_ruta',
        estado_anterior: 'entregado',
      },
    ]);
    const { guia: after, etag } = await money.lives.read(guia);
    expect([after.estado, after.cod_cobrado, after.advertencias, etag]).toEqual(['en_ruta', null, [], '"7"']);
    expect(await money.of(guia)).toMatchObject({ estado: 'por_cobrar', cod_cobrado: null, cobrado_en: null });
    expect((await money.lives.events(guia)).at(-1)).toMatchObject({
      ...{ id: body.evento, secuencia: 7, tipo: 'guia.estado_corregido', actor: 'operador' },
      ...{ estado: 'en_ruta', estado_anterior: 'entregado', motivo: WHY.motivo },
    });
    const repeated = await operator.move(guia.id, {
      estado: 'entregado',
      cod_cobrado: 90,
      ...FAR,
      ref: 'entrega',
    });
    expect([repeated.status, repeated.body.duplicado]).toEqual([200, true]);
    expect((await money.lives.read(guia)).guia.estado).toBe('en_ruta');
    expect((await operator.move(guia.id, { estado: 'entregado', cod_cobrado: 100 })).status).toBe(201);
    expect(await money.of(guia)).toMatchObject({ cod_cobrado: 100 });
  });

  it('takes back a cancellation with the warning that the parcel had been picked up', async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const PICKED_UP = { estado: 'recogido', ocurrido_en: ago(30) };
    const guia = await moved(
      { estado: 'en_camino_a_recoger', ocurrido_en: ago(60) },
      { estado: 'cancelado' },
      PICKED_UP,
    );
    expect((await money.lives.read(guia)).guia.advertencias).toEqual(['cancelada_ya_recogida']);
    expect((await undo(guia)).body.estado).toBe('en_camino_a_recoger');
    expect((await operator.move(guia.id, PICKED_UP)).body.aplicado).toBe(true);
    expect((await money.lives.read(guia)).guia).toMatchObject({ estado: 'recogido', advertencias: [] });
  });

  it('done again, takes back the move before, down to the creation', async () => {
    const guia = await moved(...ROUTE);
    const states = [];
    for (let n = 0; n < 3; n++) states.push((await undo(guia)).body.estado);
    expect(states).toEqual(['recogido', 'en_camino_a_recoger', 'aceptado']);
    expectProblem(await undo(guia), 'nada_que_deshacer');
  });

  it('makes no later event late', async () => {
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const guia = await moved(
      { estado: 'en_camino_a_recoger', ocurrido_en: at(90) },
      { estado: 'recogido', ocurrido_en: at(60) },
      { estado: 'en_ruta', ocurrido_en: at(1) },
    );
    await undo(guia);
    const { body } = await operator.move(guia.id, { estado: 'en_ruta', ocurrido_en: at(40) });
    expect(body).toMatchObject({ aplicado: true, estado: 'en_ruta' });
    const first = await moved({ estado: 'en_camino_a_recoger', ocurrido_en: at(1) });
    await undo(first);
    const earlier = await operator.move(first.id, { estado: 'en_camino_a_recoger', ocurrido_en: at(50) });
    expect(earlier.body).toMatchObject({ aplicado: true });
  });

  it('takes back an operator’s cancellation, and a later one is repeated as itself', async () => {
    const guia = await moved({ estado: 'cancelado' });
    expect((await undo(guia)).body.estado).toBe('aceptado');
    const again = await operator.move(guia.id, { estado: 'cancelado' });
    expect(again.status).toBe(201);
    const repeated = await operator.move(guia.id, { estado: 'cancelado' });
    expect([repeated.status, repeated.body.evento]).toEqual([200, again.body.evento]);
  });

  it('is refused after a merchant’s cancellation, and once the amount is settled', async () => {
    const guia = await moved(ROUTE[0]!);
    await money.merchant.post(`/api/v1/guias/${guia.id}/cancelar`);
    expectProblem(await undo(guia), 'nada_que_deshacer');
    const own = await Money.start(test);
    const delivered = await own.lives.create({ cod_amount: 5 });
    for (const move of [...ROUTE, { estado: 'entregado', cod_cobrado: 5 }])
      await own.operator.move(delivered.id, move);
    await own.settle();
    expectProblem(await undo(delivered, WHY, own.operator), 'cobro_liquidado');
    expect((await own.lives.read(delivered)).guia).toMatchObject({ estado: 'entregado', cod_cobrado: 5 });
  });

  it('a repeat of its `ref` undoes nothing more, and names what differs', async () => {
    const guia = await moved(...ROUTE);
    const first = await undo(guia, { ...WHY, ref: 'u1' });
    const repeated = await undo(guia, { motivo: 'otro', ref: 'u1' });
    expect([repeated.status, repeated.body]).toEqual([200, { ...first.body, duplicado: true }]);
    expect(repeated.headers.get('guias-campos-distintos')).toBe('motivo');
    expect((await money.lives.read(guia)).guia.estado).toBe('recogido');
  });

  it('shares one namespace of `ref` with moves and corrections', async () => {
    const guia = await moved(...ROUTE.slice(0, 2), { estado: 'en_ruta', ref: 'x' });
    expectFaults(await undo(guia, { ...WHY, ref: 'x' }), ['ref: formato']);
    await undo(guia, { ...WHY, ref: 'u' });
    expectFaults(await operator.move(guia.id, { estado: 'en_ruta', ref: 'u' }), ['ref: formato']);
  });

  it.each<[what: string, body: object, faults: Faults]>([
    ['no reason', {}, ['motivo: requerido']],
    ['an unknown field', { ...WHY, estado: 'en_ruta' }, ['estado: campo_desconocido']],
  ])('with %s is refused, and nothing is undone', async (_, body, faults) => {
    const guia = await moved(ROUTE[0]!);
    expectFaults(await undo(guia, body), faults);
    expect((await money.lives.read(guia)).guia.estado).toBe('en_camino_a_recoger');
  });

  it('of an unknown guide is 404; merchants may not', async () => {
    expectProblem(await undo({ id: UNKNOWN }), 'no_encontrado');
    const guia = await moved(ROUTE[0]!);
    expectProblem(
      await money.merchant.post(`/api/v1/operaciones/guias/${guia.id}/deshacer`, WHY),
      'sin_permiso',
    );
  });

  it('two at once take back one move each', async () => {
    const guia = await moved(...ROUTE);
    // By id and by number are two turns of the process: as in two processes, the row's lock alone orders them.
    const byNumber = () => undo({ id: guia.guia });
    const answers = await queueOnGuia(test.database, guia.id, [() => undo(guia), byNumber]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers.map(({ body }) => body.estado).sort()).toEqual(['en_camino_a_recoger', 'recogido']);
    expect((await money.lives.read(guia)).guia.estado).toBe('en_camino_a_recoger');
  });

  it.each([undefined, 'sin_tiempo', 'clima'])(
    'without an attempt, a guide goes from en_ruta to recogido; reason: %s',
    async (motivo) => {
      const guia = await money.lives.in('en_ruta');
      const { status, body } = await money.operator.move(guia.id, { estado: 'recogido', motivo });
      expect([status, body.estado_anterior]).toEqual([201, 'en_ruta']);
      expect((await money.lives.events(guia)).at(-1)).toMatchObject({
        tipo: 'guia.estado_cambiado',
        estado: 'recogido',
        motivo: motivo ?? null,
      });
    },
  );

  it('the reasons of an attempt are no reasons for picking up, and sin_tiempo is none for an attempt', async () => {
    const guia = await money.lives.in('en_camino_a_recoger');
    expectFaults(await money.operator.move(guia.id, { estado: 'recogido', motivo: 'sin_tiempo' }), [
      'motivo: formato',
    ]);
    const away = await money.lives.in('en_ruta');
    expectFaults(await money.operator.move(away.id, { estado: 'intento_fallido', motivo: 'sin_tiempo' }), [
      'motivo: fuera_de_rango',
    ]);
  });
});
