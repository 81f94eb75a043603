import { Money } from '../support/money.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { opened, useSharedApp } from '../support/use.js';

const OPERACIONES = '/api/v1/operaciones';
const AT = '2026-01-05T12:00:00.000Z';

describe('how an amount was paid', () => {
  const test = useSharedApp();
  const money = opened(() => Money.start(test));

  const newPiloto = async () =>
    (await money.operator.post(`${OPERACIONES}/pilotos`, { nombre: 'Marvin' })).body.piloto.id as string;
  /** A guide on its way, in the hands of a driver. */
  const onRoute = async (cod_amount: number, own = money) => {
    const piloto = await newPiloto();
    const guia = await own.lives.in('en_ruta', { cod_amount });
    await own.operator.post(`${OPERACIONES}/asignaciones`, { piloto, guias: [guia.id] });
    return { ...guia, piloto };
  };
  const deliver = (id: string, body: object) => money.operator.move(id, { estado: 'entregado', ...body });
  const carried = async (piloto: string): Promise<number> =>
    (await money.operator.get(`${OPERACIONES}/pilotos/${piloto}/caja`)).body.caja[0]?.monto ?? 0;
  const undo = (id: string) => money.operator.post(`${OPERACIONES}/guias/${id}/deshacer`, { motivo: 'x' });
  const detail = async (guia: { id: string }) => (await money.lives.read(guia)).guia;

  it.each<[sent: object, pago: string, cod_cobrado: number, carries: number, advertencias: string[]]>([
    [{ cod_cobrado: 100 }, 'efectivo', 100, 100, []],
    [{ cod_cobrado: 100, pago: null }, 'efectivo', 100, 100, []],
    [{ cod_cobrado: 90, pago: 'efectivo' }, 'efectivo', 90, 90, ['cod_distinto']],
    [{ cod_cobrado: 100, pago: 'tarjeta' }, 'tarjeta', 100, 0, []],
    [{ cod_cobrado: 90.5, pago: 'transferencia' }, 'transferencia', 90.5, 0, ['cod_distinto']],
    [{ pago: 'directo' }, 'directo', 0, 0, []],
    [{ pago: 'directo', cod_cobrado: 0 }, 'directo', 0, 0, []],
  ])('%j stands in detail, history and amounts', async (sent, pago, cod_cobrado, carries, advertencias) => {
    const guia = await onRoute(100);
    expect(await money.of(guia)).toMatchObject({ estado: 'por_cobrar', pago: null });
    expect((await deliver(guia.id, { ...sent, ocurrido_en: AT })).status).toBe(201);
    expect(await detail(guia)).toMatchObject({ cod_cobrado, pago, advertencias });
    const estado = pago === 'directo' ? 'sin_cobro' : 'cobrado';
    expect(await money.of(guia)).toMatchObject({ estado, cod_cobrado, pago, cobrado_en: AT });
    const moves = (await money.lives.events(guia)).filter((evento) => evento.estado === 'entregado');
    expect(moves).toMatchObject([{ cod_cobrado, pago }]);
    const { body } = await money.operator.get(`${OPERACIONES}/guias/${guia.id}`);
    expect(body.guia).toMatchObject({ cod_cobrado, pago });
    expect(await carried(guia.piloto)).toBe(carries);
  });

  it.each<[body: object, fault: string]>([
    [{ estado: 'entregado', cod_cobrado: 5, pago: 'cheque' }, 'pago: formato'],
    [{ estado: 'entregado', cod_cobrado: 0.01, pago: 'directo' }, 'cod_cobrado: fuera_de_rango'],
    [{ estado: 'entregado', pago: 'tarjeta' }, 'cod_cobrado: requerido'],
    [{ estado: 'intento_fallido', motivo: 'ausente', pago: 'efectivo' }, 'pago: formato'],
  ])('refuses %j, alone and in a batch', async (body, fault) => {
    const guia = await onRoute(100);
    expectFaults(await money.operator.move(guia.id, body as { estado: string }), [fault as 'pago: formato']);
    const batch = await money.operator.post(`${OPERACIONES}/eventos`, {
      eventos: [{ guia: guia.guia, ...body }],
    });
    const [{ status, errores }] = batch.body.resultados;
    expect([status, `${errores[0].campo}: ${errores[0].codigo}`]).toEqual([400, fault]);
    expect((await detail(guia)).estado).toBe('en_ruta');
  });

  it('means nothing where nothing was due, and a repeat with it differs in nothing', async () => {
    const guia = await onRoute(0);
    const sent = { cod_cobrado: 5, pago: 'tarjeta', ref: 'r' };
    for (const status of [201, 200]) {
      const answer = await deliver(guia.id, sent);
      expect([answer.status, answer.headers.get('guias-campos-distintos')]).toEqual([status, null]);
    }
    expect(await detail(guia)).toMatchObject({ cod_cobrado: 5, pago: null });
    expect(await money.of(guia)).toMatchObject({ estado: 'cobrado', pago: null });
    expect(await carried(guia.piloto)).toBe(5);
    expect((await money.correct(guia.id, { pago: 'directo' })).status).toBe(201);
    expect([await money.of(guia), await carried(guia.piloto)]).toEqual([undefined, 0]);
  });

  it('is named where a repeat differs in it', async () => {
    const guia = await onRoute(100);
    await deliver(guia.id, { cod_cobrado: 100, ref: 'r' });
    const differing = async (pago?: string) =>
      (await deliver(guia.id, { cod_cobrado: 100, ref: 'r', pago })).headers.get('guias-campos-distintos');
    expect([await differing(), await differing('efectivo'), await differing('tarjeta')]).toEqual([
      null,
      null,
      'pago',
    ]);
  });

  it('is corrected, and amount, drawer and warning follow', async () => {
    const guia = await onRoute(100);
    await deliver(guia.id, { cod_cobrado: 90, ocurrido_en: AT });
    const steps: [body: object, estado: string, cod_cobrado: number, pago: string, carries: number][] = [
      [{ cod_cobrado: 100, pago: 'tarjeta' }, 'cobrado', 100, 'tarjeta', 0],
      [{ cod_cobrado: 80 }, 'cobrado', 80, 'tarjeta', 0],
      [{ pago: 'directo', nota: 'en la tienda' }, 'sin_cobro', 0, 'directo', 0],
      [{ cod_cobrado: 0 }, 'sin_cobro', 0, 'directo', 0],
      [{ cod_cobrado: 70, pago: 'efectivo' }, 'cobrado', 70, 'efectivo', 70],
      [{ cod_cobrado: 100 }, 'cobrado', 100, 'efectivo', 100],
    ];
    for (const [body, estado, cod_cobrado, pago, carries] of steps) {
      const { status, body: answer } = await money.correct(guia.id, body);
      expect([status, answer.cod_cobrado]).toEqual([201, cod_cobrado]);
      expect(await money.of(guia)).toMatchObject({ estado, cod_cobrado, pago, cobrado_en: AT });
      expect(await carried(guia.piloto)).toBe(carries);
      expect((await money.lives.events(guia)).at(-1)).toMatchObject({
        ...{ tipo: 'guia.cobro_corregido', cod_cobrado, pago },
      });
      const differs = pago !== 'directo' && cod_cobrado !== 100;
      expect((await detail(guia)).advertencias).toEqual(differs ? ['cod_distinto'] : []);
    }
  });

  it.each<[body: object, fault: string]>([
    [{ pago: 'tarjeta' }, 'cod_cobrado: requerido'],
    [{ cod_cobrado: 1, pago: 'directo' }, 'cod_cobrado: fuera_de_rango'],
    [{ cod_cobrado: 1 }, 'cod_cobrado: fuera_de_rango'],
    [{ cod_cobrado: 1, pago: 'x' }, 'pago: formato'],
  ])('of what was paid to the merchant is not corrected by %j', async (body, fault) => {
    const guia = await onRoute(100);
    await deliver(guia.id, { pago: 'directo' });
    expectFaults(await money.correct(guia.id, body), [fault as 'pago: formato']);
    expect(await money.of(guia)).toMatchObject({ estado: 'sin_cobro', pago: 'directo' });
  });

  it.each(['tarjeta', 'directo'])('ends with the delivery that is taken back: %s', async (pago) => {
    const guia = await onRoute(100);
    await deliver(guia.id, { pago, ...(pago === 'tarjeta' && { cod_cobrado: 100 }) });
    expect((await undo(guia.id)).status).toBe(201);
    expect(await money.of(guia)).toMatchObject({ estado: 'por_cobrar', cod_cobrado: null, pago: null });
    expect(await detail(guia)).toMatchObject({ cod_cobrado: null, pago: null });
    expect(await carried(guia.piloto)).toBe(0);
    await deliver(guia.id, { cod_cobrado: 100 });
    expect([(await money.of(guia)).pago, await carried(guia.piloto)]).toEqual(['efectivo', 100]);
  });

  it('to the merchant is a row of its own of the sums, in ranges by the delivery, and in no settlement', async () => {
    const own = await Money.start(test);
    const direct = await own.lives.in('en_ruta', { cod_amount: 30 });
    await own.operator.move(direct.id, { estado: 'entregado', pago: 'directo', ocurrido_en: AT });
    const cancelled = await own.lives.in('cancelado', { cod_amount: 7 });
    expectProblem(await own.settle(), 'nada_por_liquidar');
    const card = await own.deliver(20, { cod_cobrado: 19, at: AT });
    await own.correct(card.id, { cod_cobrado: 19, pago: 'tarjeta' });

    const ids = async (query: string) =>
      (await own.list(query)).body.cobros.map((cobro: { id: string }) => cobro.id).sort();
    expect(await ids('?estado=sin_cobro')).toEqual([direct.id, cancelled.id].sort());
    expect(await ids('?estado=cobrado')).toEqual([card.id]);
    expect(await ids('?estado=sin_cobro&desde=2026-01-05&hasta=2026-01-05')).toEqual([direct.id]);
    expect(await ids('?desde=2026-01-05')).toEqual([direct.id, card.id].sort());
    expect(await ids('?desde=2026-01-06')).toEqual([]);

    const total = (guias: number, cod_amount: number, cod_cobrado = 0) => ({
      guias,
      cod_amount,
      cod_cobrado,
    });
    const sums = { por_cobrar: total(0, 0), liquidado: total(0, 0), cobrado: total(1, 20, 19) };
    expect((await own.list('/resumen')).body).toMatchObject({
      ...{ ...sums, sin_cobro: total(1, 7), directo: total(1, 30), diferencia: -1 },
    });
    expect((await own.list('/resumen?desde=2026-01-05&hasta=2026-01-05')).body).toMatchObject({
      ...{ ...sums, sin_cobro: total(0, 0), directo: total(1, 30), diferencia: -1 },
    });

    const csv = (await own.list('?desde=2026-01-05', { accept: 'text/csv' })).text.split('\r\n');
    expect(csv[0]).toMatch(/,liquidacion,pago,liquidado$/);
    expect(csv.find((line) => line.includes(direct.guia))).toMatch(
      /,30\.00,0\.00,GTQ,sin_cobro,2026-01-05T12:00:00\.000Z,,directo,$/,
    );
    const { body } = await own.operator.get(`${OPERACIONES}/cobros?comercio=${own.merchant.id}`);
    const pagos = body.cobros.map((cobro: any) => [cobro.id, cobro.pago]);
    expect(Object.fromEntries(pagos)).toEqual({
      ...{ [direct.id]: 'directo', [card.id]: 'tarjeta', [cancelled.id]: null },
    });

    expect((await own.settle()).body.liquidacion).toMatchObject({ guias: 1, cobrado: 19 });
    expect(await own.of(card)).toMatchObject({ estado: 'liquidado', pago: 'tarjeta' });
  });

  it('of what was delivered before this was known is in cash', async () => {
    const guia = await money.lives.in('entregado', { cod_amount: 7 });
    await test.database.query(
      `insert into cobros (comercio_id, guia_id, cod_amount, cod_cobrado, cobrado_en, estado)
       values ($1, $2, 7, 7, now(), 'cobrado')`,
      [money.merchant.id, guia.id],
    );
    expect(await detail(guia)).toMatchObject({ cod_cobrado: 7, pago: 'efectivo' });
    expect((await money.of(guia)).pago).toBe('efectivo');
  });

  it('is that of the recorded event where staff or nobody else applied it at first', async () => {
    const guia = await onRoute(100);
    await money.operator.move(guia.id, { estado: 'intento_fallido', motivo: 'ausente' });
    const late = await deliver(guia.id, { cod_cobrado: 100, pago: 'tarjeta', ocurrido_en: AT });
    expect(late.body).toMatchObject({ aplicado: false, no_aplicado: 'tarde' });
    expect((await money.lives.events(guia)).at(-1)).toMatchObject({
      tipo: 'guia.evento_tardio',
      pago: 'tarjeta',
    });
    expect([await money.of(guia), await carried(guia.piloto)]).toMatchObject([{ pago: null }, 0]);
  });
});
