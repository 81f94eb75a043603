import { Money } from '../support/money.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { queueOnGuia } from '../support/row-queue.js';
import { opened, useSharedApp } from '../support/use.js';

const UNKNOWN = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('POST /api/v1/operaciones/guias/{id}/cobro', () => {
  const test = useSharedApp();
  const money = opened(() => Money.start(test));

  it('corrects the amount, and sets or clears the warning', async () => {
    const guia = await money.deliver(100);
    const before = await money.of(guia);
    const first = await money.correct(guia.guia, { cod_cobrado: 99.5, nota: 'vuelto' });
    expect([first.status, first.body]).toEqual([
      201,
      { ok: true, ...guia, evento: expect.any(String), secuencia: 3, cod_cobrado: 99.5 },
    ]);
    expect((await money.lives.read(guia)).guia).toMatchObject({
      cod_cobrado: 99.5,
      advertencias: ['cod_distinto'],
    });
    expect(await money.of(guia)).toEqual({ ...before, cod_cobrado: 99.5 });
    expect((await money.lives.events(guia)).at(-1)).toMatchObject({
      ...{ id: first.body.evento, secuencia: 3, tipo: 'guia.cobro_corregido', actor: 'operador' },
      ...{ cod_cobrado: 99.5, nota: 'vuelto', estado: null },
    });
    await money.correct(guia.id, { cod_cobrado: 98 });
    expect((await money.lives.read(guia)).guia.advertencias).toEqual(['cod_distinto']);
    await money.correct(guia.id, { cod_cobrado: 100 });
    const { guia: after, etag } = await money.lives.read(guia);
    expect([after.advertencias, after.cod_cobrado, etag]).toEqual([[], 100, '"5"']);
  });

  it.each([
    ['after an amount that was not expected', [7, 0]],
    ['at once', [0]],
    ['twice', [0, 0]],
  ])(
    'to nothing, of a guide of which nothing was expected, leaves no amount to settle: %s',
    async (_, sums) => {
      const own = await Money.start(test);
      const guia = await own.deliver(0);
      for (const cod_cobrado of sums) expect((await own.correct(guia.id, { cod_cobrado })).status).toBe(201);
      expect(await own.of(guia)).toBeUndefined();
      const { guia: after } = await own.lives.read(guia);
      expect([after.advertencias, after.cod_cobrado]).toEqual([[], null]);
      expectProblem(await own.settle(), 'nada_por_liquidar');
      await own.correct(guia.id, { cod_cobrado: 3 });
      expect((await own.settle()).body.liquidacion).toMatchObject({ guias: 1, cobrado: 3 });
      expectProblem(await own.correct(guia.id, { cod_cobrado: 0 }), 'cobro_liquidado');
    },
  );

  it.each<[stored: number | undefined, sums: [number, number]]>([
    [undefined, [50, 0]],
    [undefined, [0, 50]],
    [50, [0, 0]],
    [50, [0, 20]],
  ])(
    'with %s stored and nothing due, sent as %j at once, leaves the amount of the last correction',
    async (stored, sums) => {
      const guia = await money.deliver(0, { cod_cobrado: stored });
      const answers = await queueOnGuia(
        test.database,
        guia.id,
        sums.map((cod_cobrado) => () => money.correct(guia.id, { cod_cobrado })),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      const last = (await money.lives.events(guia)).at(-1).cod_cobrado;
      expect(last).toBe(sums[1]);
      expect(((await money.of(guia))?.cod_cobrado ?? 0) as number).toBe(last);
    },
  );

  it('is repeated by ref: 200 with the recorded event', async () => {
    const guia = await money.deliver(100);
    const first = await money.correct(guia.id, { cod_cobrado: 90, ref: 'c' });
    await money.correct(guia.id, { cod_cobrado: 80 });
    const again = await money.correct(guia.id, { cod_cobrado: 90, ref: 'c' });
    expect([again.status, again.body]).toEqual([200, { ...first.body, duplicado: true }]);
    const other = await money.correct(guia.id, { cod_cobrado: 70, nota: 'x', ref: 'c' });
    expect(other.headers.get('guias-campos-distintos')).toBe('cod_cobrado, nota');
    expect((await money.of(guia)).cod_cobrado).toBe(80);
  });

  it('refuses the ref of a move, as a move refuses that of a correction', async () => {
    const guia = await money.lives.in('en_ruta', { cod_amount: 5 });
    await money.operator.move(guia.id, { estado: 'entregado', cod_cobrado: 5, ref: 'move' });
    expectFaults(await money.correct(guia.id, { cod_cobrado: 4, ref: 'move' }), ['ref: formato']);
    await money.correct(guia.id, { cod_cobrado: 4, ref: 'correction' });
    expectFaults(await money.operator.move(guia.id, { estado: 'en_ruta', ref: 'correction' }), [
      'ref: formato',
    ]);
  });

  it('is refused once the amount is settled', async () => {
    const guia = await money.deliver(100);
    await money.correct(guia.id, { cod_cobrado: 90, ref: 'c' });
    await money.settle();
    const before = await money.lives.stored(guia);
    expectProblem(await money.correct(guia.id, { cod_cobrado: 100 }), 'cobro_liquidado');
    expect((await money.correct(guia.id, { cod_cobrado: 90, ref: 'c' })).status).toBe(200);
    expect(await money.lives.stored(guia)).toEqual(before);
    expect((await money.of(guia)).cod_cobrado).toBe(90);
  });

  it('is refused where the guide is not delivered, or does not exist', async () => {
    const guia = await money.lives.in('en_ruta', { cod_amount: 5 });
    const answer = await money.correct(guia.id, { cod_cobrado: 5 });
    expectProblem(answer, 'transicion_invalida');
    expect(answer.body.detail).toContain('`en_ruta`');
    for (const unknown of [UNKNOWN, 'x'])
      expectProblem(await money.correct(unknown, { cod_cobrado: 5 }), 'no_encontrado');
  });

  it.each<[body: object, fault: Parameters<typeof expectFaults>[1][number]]>([
    [{}, 'cod_cobrado: requerido'],
    [{ cod_cobrado: 1, nota: 'a\0' }, 'nota: formato'],
    [{ cod_cobrado: 1, estado: 'x' }, 'estado: campo_desconocido'],
  ])('refuses %j', async (body, fault) => {
    expectFaults(await money.correct(UNKNOWN, body), [fault]);
  });

  it('states the amount of a guide that an older version delivered without it', async () => {
    const guia = await money.lives.in('entregado', { cod_amount: 7 });
    await test.database.query(
      `insert into cobros (comercio_id, guia_id, cod_amount, estado) values ($1, $2, 7, 'por_cobrar')`,
      [money.merchant.id, guia.id],
    );
    expect(await money.of(guia)).toMatchObject({ estado: 'por_cobrar', cod_cobrado: null, cobrado_en: null });
    expect((await money.list('?estado=por_cobrar')).body.cobros.map(({ id }: any) => id)).toContain(guia.id);
    expect((await money.correct(guia.id, { cod_cobrado: 7 })).status).toBe(201);
    expect(await money.of(guia)).toMatchObject({ estado: 'cobrado', cod_cobrado: 7, cobrado_en: TIME });
  });
});
