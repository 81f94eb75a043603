import type { GuiaEstado } from '../../src/guias/guia-estado.js';
import { Lives } from '../support/lives.js';
import { expectProblem } from '../support/problem.js';
import { crowdOnGuia } from '../support/row-queue.js';
import { createTestApp, type TestApp, type TestMerchant, type TestOperator } from '../support/test-app.js';

/** A failed attempt needs a reason. */
const moveTo = (estado: GuiaEstado) => ({
  estado,
  ...(estado === 'intento_fallido' && { motivo: 'ausente' }),
});
const UNKNOWN = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

describe('POST /api/v1/operaciones/guias/{id}/eventos', () => {
  let test: TestApp;
  let merchant: TestMerchant;
  let operator: TestOperator;
  let lives: Lives;

  beforeAll(async () => {
    test = await createTestApp();
    merchant = await test.merchant();
    operator = await test.operator();
    lives = new Lives(test, merchant);
  });
  afterAll(() => test.close());

  it.each<[from: GuiaEstado, to: GuiaEstado]>([
    ['aceptado', 'en_camino_a_recoger'],
    ['en_camino_a_recoger', 'cancelado'],
    ['en_ruta', 'intento_fallido'],
  ])('moves a guide from %s to %s', async (from, to) => {
    const guia = await lives.in(from);
    const before = (await lives.read(guia)).guia;
    const { status, body } = await operator.move(guia.id, moveTo(to));
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ok: true,
        ...guia,
        evento: expect.stringMatching(/^[0-9a-f-]{36}$/),
        secuencia: 2,
        estado: to,
        estado_anterior: from,
        aplicado: true,
      },
    });
    const { guia: after, etag } = await lives.read(guia);
    expect({ ...after, actualizada_en: '' }).toEqual({ ...before, estado: to, actualizada_en: '' });
    expect(after.actualizada_en >= before.actualizada_en).toBe(true);
    expect(etag).toBe('"2"');
    expect((await lives.events(guia)).slice(1)).toEqual([
      expect.objectContaining({
        id: body.evento,
        secuencia: 2,
        tipo: to === 'cancelado' ? 'guia.cancelada' : 'guia.estado_cambiado',
        actor: 'operador',
        estado: to,
        estado_anterior: from,
      }),
    ]);
  });

  it.each<[from: GuiaEstado, to: GuiaEstado, detail: string]>([
    ['aceptado', 'recogido', 'de ahí solo puede pasar a: en_camino_a_recoger, cancelado.'],
    ['entregado', 'en_ruta', 'un estado final: ya no cambia.'],
  ])('refuses to move a guide from %s to %s with 409, and changes nothing', async (from, to, detail) => {
    const guia = await lives.in(from);
    const before = await lives.stored(guia);
    const answer = await operator.move(guia.id, { ...moveTo(to), ref: 'r' });
    expectProblem(answer, 'transicion_invalida');
    expect(answer.body.detail).toContain(detail);
    expect(answer.body.errores).toEqual([
      { campo: 'estado', codigo: 'fuera_de_rango', mensaje: answer.body.detail },
    ]);
    expect(await lives.stored(guia)).toEqual(before);
  });

  it('does not use up the ref of a refused move', async () => {
    const guia = await lives.create();
    expect((await operator.move(guia.id, { estado: 'recogido', ref: 'r' })).status).toBe(409);
    await operator.move(guia.id, { estado: 'en_camino_a_recoger' });
    expect((await operator.move(guia.id, { estado: 'recogido', ref: 'r' })).status).toBe(201);
  });

  it('moves guides of any merchant, by id in any letter case and by number', async () => {
    const other = new Lives(test, await test.merchant({ country: 'SV' }));
    for (const name of ['id', 'guia', 'ID'] as const) {
      const guia = await other.create();
      const named = name === 'ID' ? guia.id.toUpperCase() : guia[name];
      const { status, body } = await operator.move(named, { estado: 'en_camino_a_recoger' });
      expect([status, body.id, body.guia]).toEqual([201, guia.id, guia.guia]);
      expect((await other.read(guia)).guia.estado).toBe('en_camino_a_recoger');
    }
  });

  it.each([UNKNOWN, '483920175567', 'x', '%00', '%F0', `${UNKNOWN}%20`, "'", '0', 'null'])(
    'returns 404 for the unknown guide %s',
    async (name) => {
      expectProblem(await operator.move(name, { estado: 'en_camino_a_recoger' }), 'no_encontrado');
    },
  );

  it('lets two operators move one guide in turn', async () => {
    const guia = await lives.create({ cod_amount: 20 });
    const other = await test.operator('Otra mensajería');
    const way: [TestOperator, Record<string, unknown>][] = [
      [operator, { estado: 'en_camino_a_recoger' }],
      [other, { estado: 'aceptado', nota: 'no había nadie' }],
      [other, { estado: 'en_camino_a_recoger' }],
      [other, { estado: 'recogido' }],
      [operator, { estado: 'en_ruta' }],
      [operator, { estado: 'intento_fallido', motivo: 'ausente' }],
      [operator, { estado: 'en_ruta' }],
      [operator, { estado: 'entregado', cod_cobrado: 20 }],
    ];
    for (const [by, body] of way) expect((await by.move(guia.id, body)).status).toBe(201);
    const { guia: after, etag } = await lives.read(guia);
    expect([after.estado, after.advertencias, etag]).toEqual(['entregado', [], '"9"']);
    const events = await lives.events(guia);
    expect(events.map(({ secuencia, estado }) => [secuencia, estado])).toEqual([
      [1, 'aceptado'],
      ...way.map(([, { estado }], i) => [i + 2, estado]),
    ]);
  });

  it('accepts one of eight simultaneous identical moves', async () => {
    const guia = await lives.in('en_camino_a_recoger');
    const answers = await crowdOnGuia(
      test.database,
      guia.id,
      Array.from({ length: 8 }, () => () => operator.move(guia.id, { estado: 'recogido' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(await lives.events(guia)).toHaveLength(2);
  });

  it('adds a warning and an event where another amount was collected than was due', async () => {
    const guia = await lives.in('en_ruta', { cod_amount: 349.5 });
    const delivery = { estado: 'entregado', cod_cobrado: 349.51 };
    expect((await operator.move(guia.id, delivery)).body.secuencia).toBe(2);
    const { guia: after, etag } = await lives.read(guia);
    expect([after.estado, after.advertencias, after.cod_cobrado, etag]).toEqual([
      'entregado',
      ['cod_distinto'],
      349.51,
      '"3"',
    ]);
    expect((await lives.events(guia)).slice(1)).toMatchObject([
      { tipo: 'guia.estado_cambiado', secuencia: 2, estado: 'entregado', cod_cobrado: 349.51 },
      { tipo: 'guia.cod_distinto', secuencia: 3, estado: null, actor: 'operador', cod_cobrado: 349.51 },
    ]);
  });

  it('keeps no amount where nothing was due and nothing was collected', async () => {
    const guia = await lives.in('en_ruta');
    await operator.move(guia.id, { estado: 'entregado', cod_cobrado: 0 });
    expect((await lives.read(guia)).guia).toMatchObject({ cod_cobrado: null, advertencias: [] });
  });
});
