import { Money } from '../support/money.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { propertyRuns } from '../support/property-runs.js';
import { type Answer } from '../support/test-app.js';
import { withClient } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { useSharedApp } from '../support/use.js';

const LIQUIDACIONES = '/api/v1/liquidaciones';
const ROUNDS = propertyRuns(1);
const UNKNOWN = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}T12:00:00.000Z`;

describe('settlements', () => {
  const test = useSharedApp();
  let money: Money;

  beforeEach(async () => {
    money = await Money.start(test);
  });

  /** Holds back all settlements of the merchant until one waits for it. */
  const crowd = (sends: (() => Promise<Answer>)[]): Promise<Answer[]> =>
    withClient(test.database.url, async (holder) => {
      await holder.query('begin');
      await holder.query('select from comercios where id = $1 for update', [money.merchant.id]);
      const answers = sends.map((send) => send());
      await eventually(async () => {
        const [row] = await test.database.query<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        );
        // The settlements of a merchant take turns in the process before they take a connection: one waits in the database.
        expect(row!.count).toBe(1);
      });
      await holder.query('commit');
      return Promise.all(answers);
    });

  it('contain each amount collected until then exactly once', async () => {
    await money.deliver(10, { at: day(1) });
    await money.deliver(20.25, { at: day(3), cod_cobrado: 20 });
    await money.deliver(40, { at: day(4) });
    await money.lives.create({ cod_amount: 80 });
    const { status, body } = await money.settle({ hasta: '2026-01-03', ref: 'semana-1' });
    const liquidacion = {
      id: expect.any(String),
      comercio: money.merchant.id,
      ...{
        moneda: 'GTQ',
        guias: 2,
        cobrado: 30,
        ajustes: 0,
        neto: 30,
        desde: day(1),
        hasta: '2026-01-03T23:59:59.999Z',
      },
      ...{ creada_en: TIME, pagada_en: null, referencia_pago: null },
    };
    expect([status, body]).toEqual([201, { ok: true, liquidacion }]);
    const { body: rest } = await money.settle();
    expect(rest.liquidacion).toEqual({
      ...{ ...liquidacion, id: expect.any(String) },
      ...{ guias: 1, cobrado: 40, neto: 40, desde: day(4), hasta: TIME },
    });
    const nothing = await money.settle();
    expectProblem(nothing, 'nada_por_liquidar');
    expect(nothing.body.detail).toBe('El comercio no tiene cobros sin liquidar.');
  });

  it('are repeated by ref: 200 with the settlement made, and nothing else', async () => {
    await money.deliver(10, { at: day(1) });
    const hasta = day(2);
    const first = await money.settle({ ref: 'r', hasta });
    await money.deliver(20);
    const again = await money.settle({ ref: 'r', hasta });
    expect([first.status, again.status, again.body]).toEqual([201, 200, { ...first.body, duplicada: true }]);
    expect(again.headers.get('guias-campos-distintos')).toBeNull();
    const other = await money.settle({ ref: 'r', hasta: '2099-01-01' });
    expect([other.status, other.headers.get('guias-campos-distintos')]).toEqual([200, 'hasta']);
    expect((await money.settle({ ref: 'r' }, await test.operator('Otra'))).status).toBe(201);
    expectProblem(await money.settle({ ref: 'unused' }), 'nada_por_liquidar');
    await money.deliver(30);
    expect((await money.settle({ ref: 'unused' })).status).toBe(201);
  });

  it('with a future hasta end now: later amounts go into the next settlement', async () => {
    await money.deliver(10);
    const first = await money.settle({ ref: 'r', hasta: '2099-01-01' });
    const { hasta, creada_en } = first.body.liquidacion;
    expect([hasta, first.body.liquidacion.guias]).toEqual([creada_en, 1]);
    await money.deliver(20);
    const again = await money.settle({ ref: 'r', hasta: '2099-01-01' });
    expect([again.body.liquidacion, again.headers.get('guias-campos-distintos')]).toEqual([
      first.body.liquidacion,
      null,
    ]);
    expect((await money.settle({ hasta: '2099-01-01' })).body.liquidacion).toMatchObject({ cobrado: 20 });
  });

  it.each<[what: string, body: unknown, fault: Parameters<typeof expectFaults>[1][number]]>([
    ['no merchant', {}, 'comercio: requerido'],
    ['a merchant that is no id', { comercio: 'x' }, 'comercio: formato'],
  ])('are refused with %s', async (_, body, fault) => {
    expectFaults(await money.operator.post('/api/v1/operaciones/liquidaciones', body), [fault]);
  });

  it.each(['9999-12-31T23:59:59-06:00', '9999-12-31'])(
    'with the future hasta %s end now, and a repeat by ref reports no difference',
    async (hasta) => {
      await money.deliver(10);
      const first = await money.settle({ ref: 'r', hasta });
      expect([first.status, first.body.liquidacion.guias]).toEqual([201, 1]);
      expect(first.body.liquidacion.hasta).toBe(first.body.liquidacion.creada_en);
      const again = await money.settle({ ref: 'r', hasta });
      expect([again.status, again.headers.get('guias-campos-distintos')]).toEqual([200, null]);
    },
  );

  it.each(['0000-01-01', '0000-01-01T00:00:00+23:59', '0001-01-01'])(
    'are rejected with nada_por_liquidar for hasta %s, which the answer advises to check',
    async (hasta) => {
      await money.deliver(10);
      const answer = await money.settle({ hasta });
      expectProblem(answer, 'nada_por_liquidar');
      expect(answer.body.detail).toContain('Revise `hasta`');
    },
  );

  it('are 404 for an unknown merchant', async () => {
    expectProblem(await money.settle({ comercio: UNKNOWN }), 'no_encontrado');
  });

  it('put each guide into exactly one when many settle one merchant concurrently', async () => {
    const other = await test.operator('Otra');
    for (let round = 0; round < ROUNDS; round++) {
      for (let n = 1; n <= 6; n++) await money.deliver(n, { at: day(n) });
      const answers = await crowd(
        Array.from(
          { length: 8 },
          (_, n) => () => money.settle({ hasta: day((n % 6) + 1) }, n % 2 ? money.operator : other),
        ),
      );
      await money.settle();
      for (const { status } of answers) expect([201, 409]).toContain(status);
    }
    const { cobros } = (await money.list('?limit=100')).body;
    expect(cobros).toHaveLength(6 * ROUNDS);
    expect(cobros.every(({ estado }: any) => estado === 'liquidado')).toBe(true);
    const { liquidaciones } = (await money.merchant.get(`${LIQUIDACIONES}?limit=100`)).body;
    for (const { id, guias, cobrado } of liquidaciones) {
      const own = cobros.filter(({ liquidacion }: any) => liquidacion === id);
      const sum = own.reduce((sofar: number, cobro: any) => sofar + cobro.cod_cobrado, 0);
      expect([own.length, sum]).toEqual([guias, cobrado]);
    }
  });

  it('requested eight times concurrently with one ref are one settlement', async () => {
    await money.deliver(10);
    const answers = await crowd(Array.from({ length: 8 }, () => () => money.settle({ ref: 'r' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(7).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.liquidacion.id)).size).toBe(1);
  });

  describe('of more than 20,000 amounts', () => {
    const FIRST = Date.UTC(2026, 0, 1);
    const timeOf = (ms: number) => new Date(FIRST + ms).toISOString();

    const expectTooLarge = (answer: Answer, hasta: string) => {
      expectProblem(answer, 'liquidacion_demasiado_grande');
      expect(answer.body).toMatchObject({ hasta, detail: expect.stringContaining(hasta) });
    };

    it('are refused with the latest `hasta` that fits, and fit until then', async () => {
      // Two amounts each millisecond: the 20,001st is the first of its own.
      await money.seed(20_003, `${FIRST} + n / 2`);
      expectTooLarge(await money.settle({ ref: 'r' }), timeOf(9_999));
      expectTooLarge(await money.settle({ hasta: timeOf(10_000) }), timeOf(9_999));
      const { body } = await money.settle({ hasta: timeOf(9_999) });
      expect(body.liquidacion).toMatchObject({ guias: 20_000, cobrado: 20_000, hasta: timeOf(9_999) });
      expect((await money.settle({ ref: 'r' })).body.liquidacion).toMatchObject({ guias: 3, cobrado: 3 });
      expectProblem(await money.settle(), 'nada_por_liquidar');
    });

    it('never part the amounts of one millisecond, unless these alone are too many', async () => {
      await money.seed(20_002, `${FIRST} + least(n, 1)`);
      expectTooLarge(await money.settle(), timeOf(0));
      expect((await money.settle({ hasta: timeOf(0) })).body.liquidacion).toMatchObject({ guias: 1 });
      expectTooLarge(await money.settle(), timeOf(1));
      for (const guias of [20_000, 1])
        expect((await money.settle({ hasta: timeOf(1) })).body.liquidacion).toMatchObject({
          ...{ guias, cobrado: guias, desde: timeOf(1), hasta: timeOf(1) },
        });
      expectProblem(await money.settle({ hasta: timeOf(1) }), 'nada_por_liquidar');
    });
  });

  it('roll back completely if the connection is lost midway', async () => {
    for (let n = 1; n <= 3; n++) await money.deliver(n);
    await withClient(test.database.url, async (holder) => {
      await holder.query('begin');
      // The settlement has marked the other guides when it waits for this one.
      await holder.query(
        `select from cobros where comercio_id = $1 order by guia_id desc limit 1 for update`,
        [money.merchant.id],
      );
      const cut = money.settle();
      await eventually(async () => {
        const killed = await test.database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where wait_event_type = 'Lock' and query like '%tomados%' and datname = current_database()`,
        );
        expect(killed).toHaveLength(1);
      });
      expectProblem(await cut, 'no_disponible');
      await holder.query('rollback');
    });
    expect((await money.merchant.get(LIQUIDACIONES)).body.liquidaciones).toEqual([]);
    expect((await money.list('?estado=cobrado')).body.cobros).toHaveLength(3);
    expect((await money.settle()).body.liquidacion).toMatchObject({ guias: 3, cobrado: 6 });
  });

  describe('paid', () => {
    let id: string;
    beforeEach(async () => {
      await money.deliver(10);
      id = (await money.settle()).body.liquidacion.id;
    });

    it('have the reference and the time of the payment, once', async () => {
      const { status, body } = await money.pay(id, { referencia_pago: ' TRF-1 ', ref: 'p' });
      expect([status, body.liquidacion]).toMatchObject([
        200,
        { id, cobrado: 10, pagada_en: TIME, referencia_pago: 'TRF-1' },
      ]);
      expect((await money.merchant.get(`${LIQUIDACIONES}/${id}`)).body).toEqual(body);
      expectProblem(await money.pay(id, { referencia_pago: 'TRF-2' }), 'liquidacion_pagada');
      expectProblem(await money.pay(id, { referencia_pago: 'TRF-2', ref: 'q' }), 'liquidacion_pagada');
      const sameRef = await money.pay(id, { referencia_pago: 'TRF-2', ref: 'p' });
      expect([sameRef.status, sameRef.body]).toEqual([200, { ...body, duplicada: true }]);
      expect(sameRef.headers.get('guias-campos-distintos')).toBe('referencia_pago');
      const samePayment = await money.pay(id, { referencia_pago: 'TRF-1' });
      expect([samePayment.status, samePayment.body]).toEqual([200, { ...body, duplicada: true }]);
    });

    it('are paid once by many concurrent requests', async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => money.pay(id, { referencia_pago: `TRF-${n % 2}` })),
      );
      const first = answers.filter(({ status, body }) => status === 200 && !body.duplicada);
      expect(first).toHaveLength(1);
      for (const { status, body } of answers)
        if (status === 200) expect(body.liquidacion).toEqual(first[0]!.body.liquidacion);
        else expect(status).toBe(409);
      const recorded = await test.database.query(
        `select from eventos where guia_id = $1 and tipo = 'liquidacion.pagada'`,
        [id],
      );
      expect(recorded).toHaveLength(1);
    });

    it('need a reference, and return 404 if unknown', async () => {
      expectFaults(await money.pay(id, {}), ['referencia_pago: requerido']);
      expectFaults(await money.pay(id, { referencia_pago: 'x'.repeat(121) }), [
        'referencia_pago: demasiado_largo',
      ]);
      for (const unknown of [UNKNOWN, 'x', '%00'])
        expectProblem(await money.pay(unknown, { referencia_pago: 'x' }), 'no_encontrado');
    });
  });

  it('are listed to their merchant, the newest first, with their amounts', async () => {
    const guias: { id: string }[] = [];
    for (let n = 1; n <= 3; n++) {
      guias.unshift(await money.deliver(n));
      await money.settle();
    }
    const { body } = await money.merchant.get(`${LIQUIDACIONES}?limit=2`);
    const rest = await money.merchant.get(`${LIQUIDACIONES}?limit=2&cursor=${body.siguiente_cursor}`);
    const all = [...body.liquidaciones, ...rest.body.liquidaciones];
    expect(all.map(({ cobrado }) => cobrado)).toEqual([3, 2, 1]);
    expect(rest.body.siguiente_cursor).toBeNull();
    for (const [n, { id }] of all.entries()) {
      const path = `${LIQUIDACIONES}/${id}/cobros`;
      const { cobros, siguiente_cursor } = (await money.merchant.get(path)).body;
      expect([cobros.map((cobro: any) => cobro.id), siguiente_cursor]).toEqual([[guias[n]!.id], null]);
      const { text } = await money.merchant.get(path, { accept: 'text/csv' });
      expect(text.split('\r\n')[1]).toContain(`${guias[n]!.id},,${3 - n}.00,${3 - n}.00,GTQ,liquidado,`);
    }
    const stranger = await test.merchant();
    for (const path of [`${LIQUIDACIONES}/${all[0].id}`, `${LIQUIDACIONES}/${all[0].id}/cobros`])
      for (const headers of [undefined, { accept: 'text/csv' }])
        expectProblem(await stranger.get(path, headers), 'no_encontrado');
    expect((await stranger.get(LIQUIDACIONES)).body.liquidaciones).toEqual([]);
    expectProblem(await money.merchant.get(`${LIQUIDACIONES}/x`), 'no_encontrado');
    for (const path of ['', `/${all[0].id}`, `/${all[0].id}/cobros`])
      expectFaults(await money.merchant.get(`${LIQUIDACIONES}${path}?x=1`), ['x: campo_desconocido']);
  });
});
