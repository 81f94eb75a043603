import fc from 'fast-check';
import { PAGO_CODES, type Pago } from '../../src/guias/guia/pago.js';
import { Money } from '../support/money.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { propertyRuns } from '../support/property-runs.js';
import { opened, useSharedApp } from '../support/use.js';

const OPERACIONES = '/api/v1/operaciones';
const UNKNOWN_ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

describe("a driver's cash", () => {
  const test = useSharedApp();
  const money = opened(() => Money.start(test));

  const newPiloto = async (nombre = 'Marvin') =>
    (await money.operator.post(`${OPERACIONES}/pilotos`, { nombre })).body.piloto.id as string;
  const assign = (piloto: string | null, id: string, query = '') =>
    money.operator.post(`${OPERACIONES}/asignaciones${query}`, { piloto, guias: [id] });
  /** A guide on its way, assigned to the driver. */
  const onRoute = async (piloto: string | null, cod_amount: number) => {
    const guia = await money.lives.in('en_ruta', { cod_amount });
    if (piloto !== null) await assign(piloto, guia.id);
    return guia;
  };
  const deliver = (id: string, cod_cobrado: number, ocurrido_en?: string) =>
    money.operator.move(id, { estado: 'entregado', cod_cobrado, ocurrido_en });
  const undo = (id: string) => money.operator.post(`${OPERACIONES}/guias/${id}/deshacer`, { motivo: 'x' });
  const caja = async (piloto: string, query = '') =>
    (await money.operator.get(`${OPERACIONES}/pilotos/${piloto}/caja${query}`)).body.caja;
  const carried = async (piloto: string): Promise<number> => (await caja(piloto))[0]?.monto ?? 0;
  const handOver = (piloto: string, body: object) =>
    money.operator.post(`${OPERACIONES}/pilotos/${piloto}/caja/entregas`, { moneda: 'GTQ', ...body });

  it('is what was collected of the guides that were theirs, with corrections and without what was undone', async () => {
    const piloto = await newPiloto();
    const [one, two, nobodys] = [
      await onRoute(piloto, 349.5),
      await onRoute(piloto, 10),
      await onRoute(null, 5),
    ];
    for (const [guia, amount] of [
      [one, 349.5],
      [two, 9.99],
      [nobodys, 5],
    ] as const)
      expect((await deliver(guia.id, amount)).status).toBe(201);
    expect(await caja(piloto)).toEqual([
      {
        moneda: 'GTQ',
        monto: 359.49,
        guias: [
          { guia: one.guia, id: one.id, monto: 349.5 },
          { guia: two.guia, id: two.id, monto: 9.99 },
        ],
      },
    ]);
    await money.correct(one.id, { cod_cobrado: 340 });
    expect(await carried(piloto)).toBe(349.99);
    await undo(two.id);
    expect(await caja(piloto)).toEqual([
      { moneda: 'GTQ', monto: 340, guias: [{ guia: one.guia, id: one.id, monto: 340 }] },
    ]);
  });

  it('is of the driver whom the operator names, else of who has the guide at the recording', async () => {
    const [one, two] = [await newPiloto(), await newPiloto('Rosa')];
    const guia = await onRoute(one, 10);
    await money.operator.patch(`${OPERACIONES}/pilotos/${two}`, { activo: false });
    await money.operator.move(guia.id, { estado: 'entregado', cod_cobrado: 10, piloto: two });
    expect([await carried(one), await carried(two)]).toEqual([0, 10]);
    await money.correct(guia.id, { cod_cobrado: 9 });
    expect(await carried(two)).toBe(9);
    await undo(guia.id);
    expect([await carried(one), await carried(two)]).toEqual([0, 0]);
  });

  it.each<[what: string, body: object]>([
    ['nobody', { estado: 'entregado', piloto: UNKNOWN_ID }],
    ['no id', { estado: 'entregado', piloto: 'Marvin' }],
    ['a driver with another state', { estado: 'intento_fallido', motivo: 'ausente', piloto: UNKNOWN_ID }],
  ])('names the field of an event whose driver is %s', async (_, body) => {
    const guia = await onRoute(null, 0);
    expectFaults(await money.operator.move(guia.id, body as { estado: string }), ['piloto: formato']);
  });

  it('begins with a correction where nothing was due', async () => {
    const piloto = await newPiloto();
    const { id } = await onRoute(piloto, 0);
    await money.operator.move(id, { estado: 'entregado' });
    expect(await caja(piloto)).toEqual([]);
    await money.correct(id, { cod_cobrado: 7 });
    expect(await carried(piloto)).toBe(7);
    await money.correct(id, { cod_cobrado: 0 });
    expect(await caja(piloto)).toEqual([]);
  });

  it('is handed over whole, with the difference, once for a ref', async () => {
    const piloto = await newPiloto();
    const [{ id }, other] = [await onRoute(piloto, 100), await onRoute(piloto, 20.5)];
    await deliver(id, 100);
    await deliver(other.id, 20.5);
    expectFaults(await handOver(piloto, { monto: -1 }), ['monto: fuera_de_rango']);
    const { status, body } = await handOver(piloto, { monto: 120, nota: 'Faltan 0.50', ref: 'a' });
    expect([status, body]).toEqual([
      201,
      {
        ok: true,
        entrega: {
          ...{ id: expect.any(String), moneda: 'GTQ', esperado: 120.5, monto: 120, diferencia: -0.5 },
          ...{ nota: 'Faltan 0.50', creada_en: expect.stringMatching(/Z$/) },
        },
      },
    ]);
    expect(await caja(piloto)).toEqual([]);
    const repeat = await handOver(piloto, { monto: 121, ref: 'a' });
    expect([repeat.status, repeat.body]).toEqual([200, { ...body, duplicado: true }]);
    expect(repeat.headers.get('guias-campos-distintos')).toBe('monto');
    expectProblem(await handOver(piloto, { monto: 0 }), 'nada_por_entregar');
    await money.correct(id, { cod_cobrado: 90 });
    expect(await carried(piloto)).toBe(-10);
    const back = await handOver(piloto, { monto: -10 });
    expect(back.body.entrega).toMatchObject({ esperado: -10, diferencia: 0, nota: null });
    const list = await money.operator.get(`${OPERACIONES}/pilotos/${piloto}/caja/entregas?limit=1`);
    expect(list.body.entregas).toEqual([back.body.entrega]);
    const rest = `?limit=5&cursor=${list.body.siguiente_cursor}`;
    expect((await money.operator.get(`${OPERACIONES}/pilotos/${piloto}/caja/entregas${rest}`)).body).toEqual({
      ok: true,
      entregas: [body.entrega],
      siguiente_cursor: null,
    });
  });

  it('is handed over one currency at a time', async () => {
    const piloto = await newPiloto();
    await deliver((await onRoute(piloto, 100)).id, 100);
    const abroad = await Money.start(test, await test.merchant({ country: 'HN' }));
    const guia = await abroad.lives.in('en_ruta', { cod_amount: 70 });
    await assign(piloto, guia.id);
    await deliver(guia.id, 70);
    const { body } = await handOver(piloto, { monto: 100 });
    expect(body.entrega).toMatchObject({ moneda: 'GTQ', esperado: 100 });
    expect(await caja(piloto)).toMatchObject([{ moneda: 'HNL', monto: 70 }]);
  });

  it('belongs to the driver at the recording, whatever time an operator says', async () => {
    const [first, second] = [await newPiloto(), await newPiloto('Rosa')];
    const { id } = await onRoute(first, 100);
    const before = new Date().toISOString();
    await assign(second, id);
    await deliver(id, 100, before);
    expect([await carried(first), await carried(second)]).toEqual([0, 100]);
    await money.correct(id, { cod_cobrado: 99.99 });
    expect([await carried(first), await carried(second)]).toEqual([0, 99.99]);
    await undo(id);
    expect([await carried(first), await carried(second)]).toEqual([0, 0]);
  });

  it('of test guides is apart', async () => {
    const piloto = await newPiloto();
    const tester = await test.tester();
    const ofTests = await Money.start(test, tester);
    const { id } = await ofTests.lives.in('en_ruta', { cod_amount: 5 });
    await assign(piloto, id, '?modo=prueba');
    const at = `${OPERACIONES}/guias/${id}/eventos?modo=prueba`;
    expect((await money.operator.post(at, { estado: 'entregado', cod_cobrado: 5 })).status).toBe(201);
    expect(await caja(piloto)).toEqual([]);
    expect(await caja(piloto, '?modo=prueba')).toMatchObject([{ monto: 5 }]);
    expectProblem(await handOver(piloto, { monto: 5 }), 'nada_por_entregar');
  });

  it('is not found for an unknown driver, and refused for a body that is none', async () => {
    for (const id of [UNKNOWN_ID, 'x']) {
      expectProblem(await money.operator.get(`${OPERACIONES}/pilotos/${id}/caja`), 'no_encontrado');
      expectProblem(await money.operator.get(`${OPERACIONES}/pilotos/${id}/caja/entregas`), 'no_encontrado');
      expectProblem(await handOver(id, { monto: 5 }), 'no_encontrado');
    }
    const piloto = await newPiloto();
    expectFaults(await handOver(piloto, {}), ['monto: requerido']);
    expectFaults(await handOver(piloto, { moneda: 'XQQ', monto: 1.001 }), [
      'moneda: formato',
      'monto: formato',
    ]);
  });

  it('of a correction is of who delivered, where nothing was collected, too', async () => {
    const [assigned, named] = [await newPiloto(), await newPiloto('Rosa')];
    for (const had of [assigned, null]) {
      const guia = await onRoute(had, 0);
      await money.operator.move(guia.id, { estado: 'entregado', piloto: named });
      await money.correct(guia.id, { cod_cobrado: 5 });
      expect([await carried(assigned), await carried(named)]).toEqual([0, 5]);
      await money.correct(guia.id, { cod_cobrado: 0 });
      await money.correct(guia.id, { cod_cobrado: 6 });
      expect([await carried(assigned), await carried(named)]).toEqual([0, 6]);
      await undo(guia.id);
      expect([await carried(assigned), await carried(named)]).toEqual([0, 0]);
    }
    const own = await onRoute(assigned, 0);
    await money.operator.move(own.id, { estado: 'entregado' });
    await money.correct(own.id, { cod_cobrado: 7 });
    expect([await carried(assigned), await carried(named)]).toEqual([7, 0]);
  });

  describe('as a balance', () => {
    const saldo = async (piloto: string, query = '') =>
      (await money.operator.get(`${OPERACIONES}/pilotos/${piloto}/caja${query}`)).body.saldo;
    const move = (piloto: string, body: object, query = '') =>
      money.operator.post(`${OPERACIONES}/pilotos/${piloto}/saldo${query}`, {
        ...{ moneda: 'GTQ', motivo: 'Pagó', ...body },
      });
    const list = async (piloto: string, query = '') =>
      (await money.operator.get(`${OPERACIONES}/pilotos/${piloto}/saldo${query}`)).body;

    it('is the sum of differences and movements, and leaves the drawer as it is', async () => {
      const piloto = await newPiloto();
      expect(await saldo(piloto)).toEqual([]);
      await deliver((await onRoute(piloto, 100)).id, 100);
      const { entrega } = (await handOver(piloto, { monto: 80.5, nota: 'Faltan' })).body;
      expect(await saldo(piloto)).toEqual([{ moneda: 'GTQ', monto: -19.5 }]);
      await deliver((await onRoute(piloto, 7)).id, 7);
      const made = await move(piloto, { monto: 19.25, ref: 'a' });
      const movimiento = {
        ...{ id: expect.any(String), moneda: 'GTQ', monto: 19.25, motivo: 'Pagó' },
        creado_en: expect.stringMatching(/Z$/),
      };
      expect([made.status, made.body]).toEqual([201, { ok: true, movimiento }]);
      expect([await carried(piloto), await saldo(piloto)]).toEqual([7, [{ moneda: 'GTQ', monto: -0.25 }]]);
      const again = await move(piloto, { monto: 1, ref: 'a' });
      expect([again.status, again.body]).toEqual([200, { ...made.body, duplicado: true }]);
      expect(again.headers.get('guias-campos-distintos')).toBe('monto');
      await move(piloto, { moneda: 'usd', monto: -3, motivo: 'Uniforme' });
      expect(await saldo(piloto)).toEqual([
        { moneda: 'GTQ', monto: -0.25 },
        { moneda: 'USD', monto: -3 },
      ]);
      const { movimientos, siguiente_cursor } = await list(piloto, '?limit=2');
      expect(movimientos).toMatchObject([{ moneda: 'USD', monto: -3 }, made.body.movimiento]);
      expect(await list(piloto, `?limit=2&cursor=${siguiente_cursor}`)).toEqual({
        ok: true,
        movimientos: [
          {
            ...{ id: entrega.id, moneda: 'GTQ', diferencia: -19.5, nota: 'Faltan' },
            creado_en: entrega.creada_en,
          },
        ],
        siguiente_cursor: null,
      });
      await move(piloto, { monto: 0.25 });
      expect(await saldo(piloto)).toEqual([{ moneda: 'USD', monto: -3 }]);
    });

    it('is of inactive drivers, too, and of tests apart', async () => {
      const piloto = await newPiloto();
      await money.operator.patch(`${OPERACIONES}/pilotos/${piloto}`, { activo: false });
      expect((await move(piloto, { monto: 5 }, '?modo=prueba')).status).toBe(201);
      expect([await saldo(piloto), await saldo(piloto, '?modo=prueba')]).toEqual([
        [],
        [{ moneda: 'GTQ', monto: 5 }],
      ]);
      expect([(await list(piloto)).movimientos, (await list(piloto, '?modo=prueba')).movimientos]).toEqual([
        [],
        [expect.objectContaining({ monto: 5 })],
      ]);
    });

    it('is not found for an unknown driver, and refused without an amount or a reason', async () => {
      for (const id of [UNKNOWN_ID, 'x']) {
        expectProblem(await move(id, { monto: 5 }), 'no_encontrado');
        expectProblem(await money.operator.get(`${OPERACIONES}/pilotos/${id}/saldo`), 'no_encontrado');
      }
      const piloto = await newPiloto();
      expectFaults(await move(piloto, { monto: 0, motivo: 'x'.repeat(201), moneda: 'XQQ' }), [
        'monto: fuera_de_rango',
        'motivo: demasiado_largo',
        'moneda: formato',
      ]);
      expectFaults(await move(piloto, { monto: 1.001, motivo: '' }), ['monto: formato', 'motivo: requerido']);
    });
  });

  const anyCents = fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100);
  const anyAction = fc.record({
    what: fc.constantFrom('deliver', 'deliver', 'correct', 'undo', 'assign', 'handOver', 'move'),
    guia: fc.nat(2),
    piloto: fc.nat(1),
    amount: anyCents,
    pago: fc.constantFrom<[Pago | undefined, ...Pago[]]>(undefined, ...PAGO_CODES),
  });
  /** Three actors at once; each performs six actions one after the other. */
  const anyScripts = fc.array(fc.array(anyAction, { minLength: 6, maxLength: 6 }), {
    minLength: 3,
    maxLength: 3,
  });

  it('always is, to the cent: collected in cash = handed over + carried, whatever runs at once', async () => {
    await fc.assert(
      fc.asyncProperty(anyScripts, async (scripts) => {
        const pilotos = [await newPiloto(), await newPiloto('Rosa')];
        const guias = [
          await onRoute(pilotos[0]!, 10),
          await onRoute(pilotos[1]!, 0),
          await onRoute(null, 99.99),
        ];
        const perform = async (action: (typeof scripts)[0][0]): Promise<number> => {
          const { what, guia, piloto, amount, pago } = action;
          const paid = pago === 'directo' ? { pago } : { cod_cobrado: amount, pago };
          const id = guias[guia]!.id;
          switch (what) {
            case 'deliver':
              return (await money.operator.move(id, { estado: 'entregado', ...paid })).status;
            case 'correct':
              return (await money.correct(id, paid)).status;
            case 'undo':
              return (await undo(id)).status;
            case 'assign':
              return (await assign(pilotos[piloto]!, id)).status;
            case 'move': {
              const body = { moneda: 'GTQ', monto: amount, motivo: 'x' };
              const path = `${OPERACIONES}/pilotos/${pilotos[piloto]!}/saldo`;
              return amount === 0 ? 200 : (await money.operator.post(path, body)).status;
            }
            default:
              return (await handOver(pilotos[piloto]!, { monto: amount })).status;
          }
        };
        await Promise.all(
          scripts.map(async (script) => {
            // 400: an amount of what stays paid to the merchant.
            for (const action of script) expect([200, 201, 400, 409]).toContain(await perform(action));
          }),
        );
        for (const piloto of pilotos) {
          const [{ collected, handed, balance }] = (await test.database.query(
            `select (select coalesce(sum(cod_cobrado), 0) from cobros
               where piloto_id = $1 and coalesce(pago, 'efectivo') = 'efectivo') as collected,
               (select coalesce(sum(esperado), 0) from caja_entregas where piloto_id = $1) as handed,
               (select coalesce(sum(monto - esperado), 0) from caja_entregas where piloto_id = $1)
               + (select coalesce(sum(monto), 0) from saldo_movimientos where piloto_id = $1) as balance`,
            [piloto],
          )) as [Record<'collected' | 'handed' | 'balance', string>];
          const cents = (amount: unknown) => Math.round(Number(amount) * 100);
          expect(cents(handed) + cents(await carried(piloto))).toBe(cents(collected));
          const { body } = await money.operator.get(`${OPERACIONES}/pilotos/${piloto}/caja`);
          expect(cents(body.saldo[0]?.monto ?? 0)).toBe(cents(balance));
        }
      }),
      { numRuns: propertyRuns(3) },
    );
  });
});
