import { expectFaults, expectProblem } from '../support/problem.js';
import { guiaBody, type Answer, type TestMerchant } from '../support/test-app.js';
import { opened, useTestApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const OPERATED = '/api/v1/operaciones/guias';
const PLACE = { lat: 14.6407, lng: -90.5133 };
const UNKNOWN_ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

describe('test guides, for operators', () => {
  // Of its own: operators' lists show the guides of all merchants.
  const test = useTestApp();
  const live = opened(() => test.merchant());
  const tester = opened(() => test.tester(live.id));
  const operator = opened(() => test.operator());

  const create = async (by: TestMerchant, over: Record<string, unknown> = {}) => {
    const { status, body } = await by.post(GUIAS, guiaBody({ ...PLACE, ...over }));
    expect(status).toBe(201);
    return body as { id: string; guia: string };
  };
  const query = (modo: string | undefined, more: Record<string, string> = {}) =>
    `?${new URLSearchParams({ limit: '100', ...more, ...(modo && { modo }) }).toString()}`;
  const idsOf = async (path: string) => {
    const { status, body } = await operator.get(path);
    expect(status).toBe(200);
    return body.guias.map(({ id }: { id: string }) => id) as string[];
  };

  it.each<Record<string, string>>([
    {},
    { estado: 'aceptado' },
    { municipio: 'antigua guatemala' },
    { departamento: 'sacatepequez', estado: 'aceptado,en_ruta' },
    { telefono: '+50277770001' },
    { actualizada_desde: '2026-01-01' },
    { comercio: 'live' },
    { comercio: 'live', municipio: 'antigua guatemala' },
  ])('lists show test guides with modo=prueba alone, filtered by %j', async (given) => {
    const over = { telefono: '+50277770001', municipio: 'Antigua Guatemala', departamento: 'Sacatepéquez' };
    const [real, trial] = [await create(live, over), await create(tester, over)];
    const filter = { ...given, ...('comercio' in given && { comercio: live.id }) } as Record<string, string>;
    const [reals, trials] = [
      await idsOf(`${OPERATED}${query(undefined, filter)}`),
      await idsOf(`${OPERATED}${query('prueba', filter)}`),
    ];
    expect([reals.includes(real.id), reals.includes(trial.id)]).toEqual([true, false]);
    expect([trials.includes(real.id), trials.includes(trial.id)]).toEqual([false, true]);
  });

  it('a test guide shows the merchant, not its test twin', async () => {
    const { id } = await create(tester);
    const { guia } = (await operator.get(`${OPERATED}/${id}?modo=prueba`)).body;
    expect(guia.comercio).toEqual({ id: live.id, nombre: 'Tienda' });
  });

  it('cursors of one mode are refused in the other', async () => {
    for (let i = 0; i < 2; i++) await create(tester);
    const { siguiente_cursor: cursor } = (await operator.get(`${OPERATED}?limit=1&modo=prueba`)).body;
    expect((await operator.get(`${OPERATED}?limit=1&modo=prueba&cursor=${cursor}`)).status).toBe(200);
    expectProblem(await operator.get(`${OPERATED}?limit=1&cursor=${cursor}`), 'cursor_invalido');
  });

  it('reads, moves, corrections and labels of a test guide need modo=prueba, those of a real one its absence', async () => {
    const routes: [
      name: string,
      send: (guia: { id: string; guia: string }, modo: string) => Promise<Answer>,
    ][] = [
      ['detail', ({ id }, modo) => operator.get(`${OPERATED}/${id}${modo}`)],
      ['by number', ({ guia }, modo) => operator.get(`${OPERATED}/${guia}${modo}`)],
      ['history', ({ id }, modo) => operator.get(`${OPERATED}/${id}/eventos${modo}`)],
      ['label', ({ id }, modo) => operator.get(`${OPERATED}/${id}/etiqueta${modo}`)],
      [
        'labels',
        ({ guia }, modo) => operator.post(`/api/v1/operaciones/etiquetas${modo}`, { guias: [guia] }),
      ],
      ...['en_camino_a_recoger', 'recogido', 'en_ruta', 'entregado'].map(
        (estado, i) =>
          [
            `move ${estado}`,
            (guia: { id: string; guia: string }, modo: string) =>
              operator.post(`${OPERATED}/${i % 2 === 0 ? guia.id : guia.guia}/eventos${modo}`, {
                estado,
                ...(estado === 'entregado' && { cod_cobrado: 5 }),
              }),
          ] as [string, (guia: { id: string; guia: string }, modo: string) => Promise<Answer>],
      ),
      ['correction', ({ id }, modo) => operator.post(`${OPERATED}/${id}/cobro${modo}`, { cod_cobrado: 4 })],
    ];
    const [real, trial] = [await create(live, { cod_amount: 5 }), await create(tester, { cod_amount: 5 })];
    for (const [name, send] of routes) {
      for (const [guia, wrong, right] of [
        [real, '?modo=prueba', ''],
        [trial, '', '?modo=prueba'],
      ] as const) {
        expect([name, (await send(guia, wrong)).status]).toEqual([name, 404]);
        expect([name, [200, 201].includes((await send(guia, right)).status)]).toEqual([name, true]);
      }
    }
  });

  it('a batch of events is of one mode', async () => {
    const [real, trial] = [await create(live), await create(tester)];
    const send = async (modo: string) =>
      (
        await operator.post(`/api/v1/operaciones/eventos${modo}`, {
          eventos: [real, trial].map(({ id }) => ({ guia: id, estado: 'en_camino_a_recoger' })),
        })
      ).body.resultados.map(({ ok }: { ok: boolean }) => ok);
    expect(await send('')).toEqual([true, false]);
    expect(await send('?modo=prueba')).toEqual([false, true]);
  });

  it('settlements are of one mode, by the id of the merchant', async () => {
    const merchant = await test.merchant();
    const trier = await test.tester(merchant.id);
    for (const [by, modo] of [
      [merchant, ''],
      [trier, '?modo=prueba'],
    ] as const) {
      const { id } = await create(by, { cod_amount: 5 });
      for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta'])
        await operator.post(`${OPERATED}/${id}/eventos${modo}`, { estado });
      await operator.post(`${OPERATED}/${id}/eventos${modo}`, { estado: 'entregado', cod_cobrado: 5 });
    }
    const settle = (modo: string) =>
      operator.post(`/api/v1/operaciones/liquidaciones${modo}`, { comercio: merchant.id });
    const pay = (id: string, modo: string) =>
      operator.post(`/api/v1/operaciones/liquidaciones/${id}/pagar${modo}`, { referencia_pago: 'x' });
    const ids: string[] = [];
    for (const [modo, wrong] of [
      ['', '?modo=prueba'],
      ['?modo=prueba', ''],
    ] as const) {
      const { status, body } = await settle(modo);
      expect(status).toBe(201);
      expect(body.liquidacion).toMatchObject({ guias: 1, comercio: merchant.id });
      expectProblem(await pay(body.liquidacion.id, wrong), 'no_encontrado');
      for (let times = 0; times < 2; times++) {
        const paid = await pay(body.liquidacion.id, modo);
        expect([paid.status, paid.body.liquidacion.comercio]).toEqual([200, merchant.id]);
      }
      ids.push(body.liquidacion.id);
    }
    const settled = { id: ids[1], comercio: merchant.id };
    expect((await trier.get('/api/v1/liquidaciones')).body.liquidaciones).toMatchObject([settled]);
    const one = await trier.get(`/api/v1/liquidaciones/${ids[1]}`);
    expect(one.body.liquidacion).toMatchObject(settled);
    // A test twin's own id is no merchant's.
    expectProblem(
      await operator.post('/api/v1/operaciones/liquidaciones', { comercio: trier.id }),
      'no_encontrado',
    );
  });

  it('modo is prueba or absent, and is nothing for merchants', async () => {
    expectFaults(await operator.get(`${OPERATED}?modo=real`), ['modo: formato']);
    expectFaults(await operator.post(`${OPERATED}/${UNKNOWN_ID}/eventos?modo=x`, { estado: 'recogido' }), [
      'modo: formato',
    ]);
    expectFaults(await live.post(`${GUIAS}?modo=prueba`, guiaBody()), ['modo: campo_desconocido']);
  });
});
