import { GUIA_ESTADOS, type GuiaEstado } from '../../src/guias/guia-estado.js';
import { Lives } from '../support/lives.js';
import { expectProblem } from '../support/problem.js';
import { crowdOnGuia } from '../support/row-queue.js';
import { createTestApp, type TestApp, type TestMerchant, type TestOperator } from '../support/test-app.js';

/** The states a guide may move to, as the contract states them. */
const LEGAL: Record<GuiaEstado, string> = {
  aceptado: 'en_camino_a_recoger, cancelado',
  en_camino_a_recoger: 'recogido, aceptado, cancelado',
  recogido: 'en_ruta, en_devolucion, extraviado',
  en_ruta: 'entregado, intento_fallido, extraviado',
  intento_fallido: 'en_ruta, en_devolucion',
  entregado: '',
  en_devolucion: 'devuelto, extraviado',
  devuelto: '',
  cancelado: '',
  extraviado: '',
};
const PAIRS = GUIA_ESTADOS.flatMap((from) => GUIA_ESTADOS.map((to) => [from, to] as const));
/** A failed attempt needs a reason. */
const moveTo = (estado: GuiaEstado) => ({
  estado,
  ...(estado === 'intento_fallido' && { motivo: 'ausente' }),
});
const isLegal = ([from, to]: readonly [GuiaEstado, GuiaEstado]) => LEGAL[from].split(', ').includes(to);
const UNKNOWN = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

describe('POST /api/v1/operaciones/guias/{id}/eventos', () => {
  let test: TestApp;
  let merchant: TestMerchant;
  let operator: TestOperator;
  let lives: Lives;

  beforeAll(async () => {
    test = await createTestApp({ env: { ROLE: 'api' } });
    merchant = await test.merchant();
    operator = await test.operator();
    lives = new Lives(test, merchant);
  });
  afterAll(() => test.close());

  it('knows ten states, and 15 legal moves between them', () => {
    expect([PAIRS.length, PAIRS.filter(isLegal).length]).toEqual([100, 15]);
  });

  it.each(PAIRS.filter(isLegal))('moves a guide from %s to %s', async (from, to) => {
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

  it.each(PAIRS.filter((pair) => !isLegal(pair)))(
    'refuses to move a guide from %s to %s with 409, which lists the legal states',
    async (from, to) => {
      const guia = await lives.in(from);
      const before = await lives.stored(guia);
      const answer = await operator.move(guia.id, { ...moveTo(to), ref: 'r' });
      expectProblem(answer, 'transicion_invalida');
      const next = LEGAL[from];
      expect(answer.body.detail).toBe(
        next === ''
          ? `La guía está en \`${from}\`, un estado final: ya no cambia.`
          : `La guía está en \`${from}\`; de ahí solo puede pasar a: ${next}.`,
      );
      expect(answer.body.errores).toEqual([
        { campo: 'estado', codigo: 'fuera_de_rango', mensaje: answer.body.detail },
      ]);
      expect(await lives.stored(guia)).toEqual(before);
    },
  );

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

  describe('compares the collected amount with cod_amount', () => {
    it.each<[what: string, cod_amount: number, over: object, collected: number | undefined]>([
      ['all of it', 349.5, { cod_cobrado: 349.5 }, undefined],
      ['all of an amount that is no binary fraction', 0.3, { cod_cobrado: 0.3 }, undefined],
      ['no amount where nothing was due', 0, {}, undefined],
      ['zero where nothing was due', 0, { cod_cobrado: 0 }, undefined],
      ['less', 349.5, { cod_cobrado: 300 }, 300],
      ['a cent more', 349.5, { cod_cobrado: 349.51 }, 349.51],
      ['something where nothing was due', 0, { cod_cobrado: 1 }, 1],
      ['zero', 100, { cod_cobrado: 0 }, 0],
    ])('%s', async (_, cod_amount, over, collected) => {
      const guia = await lives.in('en_ruta', { cod_amount });
      const { status, body } = await operator.move(guia.id, { estado: 'entregado', ...over });
      expect([status, body.secuencia]).toEqual([201, 2]);
      const { guia: after, etag } = await lives.read(guia);
      const events = (await lives.events(guia)).slice(1);
      const differs = collected !== undefined;
      expect(after).toMatchObject({
        estado: 'entregado',
        cod_amount,
        advertencias: differs ? ['cod_distinto'] : [],
      });
      expect(etag).toBe(differs ? '"3"' : '"2"');
      const sent = (over as { cod_cobrado?: number }).cod_cobrado ?? null;
      expect(events).toMatchObject([
        { tipo: 'guia.estado_cambiado', secuencia: 2, estado: 'entregado', cod_cobrado: sent },
        ...(differs
          ? [{ tipo: 'guia.cod_distinto', secuencia: 3, actor: 'operador', cod_cobrado: collected }]
          : []),
      ]);
    });

    it('adds no warning for a late event', async () => {
      const guia = await lives.in('recogido', { cod_amount: 100 });
      await operator.move(guia.id, { estado: 'en_ruta' });
      const late = { estado: 'entregado', cod_cobrado: 1, ocurrido_en: '2020-01-01T00:00:00Z' };
      expect((await operator.move(guia.id, late)).body.aplicado).toBe(false);
      expect((await lives.read(guia)).guia).toMatchObject({ estado: 'en_ruta', advertencias: [] });
    });
  });
});
