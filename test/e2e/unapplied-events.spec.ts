import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { MerchantsService } from '../../src/auth/merchants/merchants.service.js';
import { IS_UNAPPLIED } from '../../src/guias/changes/no-aplicados.js';
import { Console, CONSOLE_USERS, formOf, staff } from '../support/console.js';
import { Driver } from '../support/driver.js';
import { Money } from '../support/money.js';
import { propertyRuns } from '../support/property-runs.js';
import { createTestApp } from '../support/test-app.js';
import { opened } from '../support/use.js';

const OPERACIONES = '/api/v1/operaciones';
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('an event of a driver that was not applied', () => {
  let sol: Console;
  let marvin: Driver;
  let rosa: Driver;

  const test = opened(() => createTestApp({ env: { BOARD_USERS: CONSOLE_USERS, TILE_URL: 'none' } }));
  const money = opened(() => Money.start(test));

  beforeAll(async () => {
    sol = new Console(test, 'sol');
    [marvin, rosa] = [
      await Driver.start(test, money.operator),
      await Driver.start(test, money.operator, 'Rosa'),
    ];
  });

  const pathOf = ({ guia }: { guia: string }) => `/admin/guias/${guia}`;
  const read = async ({ id }: { id: string }) => (await money.lives.read({ id })).guia;
  const carried = async (of: Driver): Promise<number> =>
    (await money.operator.get(`${OPERACIONES}/pilotos/${of.id}/caja`)).body.caja[0]?.monto ?? 0;
  const handOver = (of: Driver, monto: number) =>
    money.operator.post(`${OPERACIONES}/pilotos/${of.id}/caja/entregas`, { moneda: 'GTQ', monto });
  const undo = (id: string) => money.operator.post(`${OPERACIONES}/guias/${id}/deshacer`, { motivo: 'x' });
  /** A guide that Marvin says he delivered, once it was given to Rosa. */
  const deliveredByFormer = async (amount: number) => {
    const guia = await money.lives.in('en_ruta', { cod_amount: amount });
    await marvin.assign(guia.id);
    const ocurrido_en = new Date().toISOString();
    await rosa.assign(guia.id);
    await marvin.send({ guia: guia.guia, estado: 'entregado', cod_cobrado: amount, ocurrido_en });
    return guia;
  };

  it('is applied by a dispatcher, once, with its cash in the drawer of who reported it', async () => {
    const guia = await deliveredByFormer(70);
    const cash = [await carried(marvin), await carried(rosa)] as const;
    const page = await sol.page(pathOf(guia));
    expect(page).toContain('Informó un piloto que ya no la tiene: Entregada');
    expect(await sol.page('/admin/despacho/cierre')).toMatch(/Sin contar <span class="num">Q\u00a070\.00/);
    const { action, hidden } = formOf(page, '/aplicar');
    expect(await sol.submit(pathOf(guia), '/aplicar')).toContain(
      'Quedó aplicado: la guía está en «Entregada».',
    );
    expect(await read(guia)).toMatchObject({ estado: 'entregado', cod_cobrado: 70, advertencias: [] });
    expect([await carried(marvin), await carried(rosa)]).toEqual([cash[0] + 70, cash[1]]);
    expect(await sol.page(pathOf(guia))).not.toContain(action);
    const again = await sol.post(action, { ...hidden, clave: randomUUID() });
    expect(await sol.after(again)).toContain('Ese cambio ya se aplicó');
    expect(await carried(marvin)).toBe(cash[0] + 70);
    expect((await sol.actions()).slice(0, 2)).toMatchObject([
      { usuario: 'sol', accion: 'aplicar', resultado: 'rechazado' },
      { usuario: 'sol', accion: 'aplicar', resultado: 'hecho' },
    ]);
    await undo(guia.id);
    expect([(await read(guia)).estado, await carried(marvin)]).toEqual(['en_ruta', cash[0]]);
    expect(await sol.page(pathOf(guia))).not.toContain(action);
  });

  it('needs nobody any more where another delivery of its driver was applied, and still does for another driver', async () => {
    const guia = await deliveredByFormer(9);
    await marvin.send({ guia: guia.guia, estado: 'entregado', cod_cobrado: 9 });
    await sol.submit(pathOf(guia), '/aplicar');
    expect(await read(guia)).toMatchObject({ estado: 'entregado', advertencias: [] });
    const other = await deliveredByFormer(3);
    await marvin.assign(other.id);
    await rosa.send({ guia: other.guia, estado: 'entregado', cod_cobrado: 3 });
    await sol.submit(pathOf(other), '/aplicar');
    expect(await read(other)).toMatchObject({ estado: 'entregado', advertencias: ['evento_de_otro_piloto'] });
  });

  it('is not applied by support, and not to a guide that has ended', async () => {
    const guia = await deliveredByFormer(5);
    const { action, hidden } = formOf(await sol.page(pathOf(guia)), '/aplicar');
    expect(await new Console(test, 'ana').page(pathOf(guia))).not.toContain(action);
    const answer = await test.request(action, {
      method: 'POST',
      headers: { ...staff('ana'), 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(hidden),
    });
    expect(answer.status).toBe(403);
    await rosa.send({ guia: guia.guia, estado: 'entregado', cod_cobrado: 5 });
    expect(await sol.page(pathOf(guia))).not.toContain(action);
    expect(await sol.after(await sol.post(action, hidden))).toContain('deshágalo primero');
    expect((await read(guia)).advertencias).toEqual(['evento_de_otro_piloto']);
  });

  it('is applied as it was paid: what is not cash is in no drawer, and is not counted as cash before', async () => {
    const guia = await money.lives.in('en_ruta', { cod_amount: 31 });
    await marvin.assign(guia.id);
    const ocurrido_en = new Date().toISOString();
    await rosa.assign(guia.id);
    const cash = await carried(marvin);
    const said = { estado: 'entregado', cod_cobrado: 31, pago: 'transferencia', ocurrido_en };
    await marvin.send({ guia: guia.guia, ...said });
    expect(await sol.page('/admin/despacho/cierre')).not.toMatch(
      /Sin contar <span class="num">Q\u00a031\.00/,
    );
    await sol.submit(pathOf(guia), '/aplicar');
    expect(await read(guia)).toMatchObject({ cod_cobrado: 31, pago: 'transferencia' });
    expect(await carried(marvin)).toBe(cash);
  });

  it('is of who delivered, where its amount is corrected, and in the count of the day', async () => {
    const delivered = async () => {
      const lines = (await sol.get('/admin/despacho/cierre/pilotos.csv')).text.split('\r\n');
      const countOf = ({ id }: Driver) => Number(lines.find((line) => line.startsWith(id))!.split(',')[2]);
      return [countOf(marvin), countOf(rosa)] as const;
    };
    const [cash, count] = [[await carried(marvin), await carried(rosa)] as const, await delivered()];
    const guia = await deliveredByFormer(0);
    await sol.submit(pathOf(guia), '/aplicar');
    await money.correct(guia.id, { cod_cobrado: 8 });
    expect([await carried(marvin), await carried(rosa)]).toEqual([cash[0] + 8, cash[1]]);
    expect(await delivered()).toEqual([count[0] + 1, count[1]]);
    for (const [isAssigned, cod_amount] of [
      [true, 0],
      [false, 5],
    ] as const) {
      const { id } = await money.lives.in('en_ruta', { cod_amount });
      if (isAssigned) await rosa.assign(id);
      await money.operator.move(id, { estado: 'entregado', cod_cobrado: cod_amount, piloto: marvin.id });
    }
    expect(await delivered()).toEqual([count[0] + 3, count[1]]);
    const own = await money.lives.in('en_ruta', { cod_amount: 0 });
    await rosa.assign(own.id);
    await rosa.send({ guia: own.guia, estado: 'entregado' });
    expect(await delivered()).toEqual([count[0] + 3, count[1] + 1]);
  });

  it('asks no PIN when it is applied, and says that there was none', async () => {
    const guia = await deliveredByFormer(0);
    await test.app.get(MerchantsService).update(money.merchant.id, { con_pin: true });
    await sol.submit(pathOf(guia), '/aplicar');
    await test.app.get(MerchantsService).update(money.merchant.id, { con_pin: false });
    expect(await read(guia)).toMatchObject({ estado: 'entregado', advertencias: ['entregado_sin_pin'] });
  });

  it('needs nobody any more once staff has written a note', async () => {
    const guia = await deliveredByFormer(6);
    await new Console(test).submit(pathOf(guia), '/notas', { texto: 'Marvin la entregó en bodega' });
    expect((await read(guia)).advertencias).toEqual([]);
  });

  it('is listed for support in whatever state its guide is', async () => {
    const guia = await deliveredByFormer(4);
    await rosa.send({ guia: guia.guia, estado: 'entregado', cod_cobrado: 4 });
    await sol.shows('/admin', 'Un piloto que ya no tiene la guía informó de ella');
    expect(await sol.page('/admin/causas/advertencias-evento_de_otro_piloto')).toContain(guia.guia);
  });

  it('shows a drawer below nothing as what is to be given back', async () => {
    const ida = await Driver.start(test, money.operator, 'Ida');
    const guia = await money.lives.in('en_ruta', { cod_amount: 119.5 });
    await ida.assign(guia.id);
    await ida.send({ guia: guia.guia, estado: 'entregado', cod_cobrado: 119.5 });
    await handOver(ida, 119.5);
    await undo(guia.id);
    for (const path of ['/admin/despacho/cierre', '/admin/despacho/pilotos'])
      expect(await sol.page(path)).toContain('Devolverle Q\u00a0119.50');
  });

  const anyCents = fc.integer({ min: 1, max: 100_000 }).map((cents) => cents / 100);
  const anyAction = fc.record({
    what: fc.constantFrom(
      'deliver',
      'deliver',
      'undo',
      'undoOffice',
      'correct',
      'assign',
      'handOver',
      'apply',
    ),
    guia: fc.nat(1),
    piloto: fc.nat(1),
    amount: anyCents,
    /** Minutes by which the phone's clock is wrong, or the event old. */
    minutes: fc.constantFrom(0, 3, 90, 60 * 24 * 40, -180),
  });
  const anyScripts = fc.array(fc.array(anyAction, { minLength: 5, maxLength: 5 }), {
    minLength: 2,
    maxLength: 2,
  });

  it('stands in a warning, and each drawer has the cash of what was applied, whatever clocks say and runs at once', async () => {
    await fc.assert(
      fc.asyncProperty(anyScripts, async (scripts) => {
        const drivers = [
          await Driver.start(test, money.operator, 'Uno'),
          await Driver.start(test, money.operator, 'Dos'),
        ];
        const guias = [
          await money.lives.in('en_ruta', { cod_amount: 10 }),
          await money.lives.in('en_ruta', { cod_amount: 99.99 }),
        ];
        for (const [n, { id }] of guias.entries()) await drivers[n]!.assign(id);
        const apply = async (guia: { guia: string }): Promise<number> => {
          const page = await sol.page(pathOf(guia));
          if (!page.includes('/aplicar"')) return 303;
          const { action, hidden } = formOf(page, '/aplicar');
          return (await sol.post(action, hidden)).status;
        };
        const perform = async (action: (typeof scripts)[0][0]): Promise<number> => {
          const [guia, driver] = [guias[action.guia]!, drivers[action.piloto]!];
          const event = { guia: guia.guia, ocurrido_en: minutesAgo(action.minutes) };
          const statusOf = ({ status = 200 }: { status?: number }) => status;
          switch (action.what) {
            case 'deliver':
              return statusOf(
                (await driver.send({ ...event, estado: 'entregado', cod_cobrado: action.amount }))[0],
              );
            case 'undo':
              return statusOf((await driver.send({ ...event, deshacer: true }))[0]);
            case 'undoOffice':
              return (await undo(guia.id)).status;
            case 'correct':
              return (await money.correct(guia.id, { cod_cobrado: action.amount })).status;
            case 'assign':
              await driver.assign(guia.id);
              return 200;
            case 'handOver':
              return (await handOver(driver, action.amount)).status;
            default:
              return apply(guia);
          }
        };
        await Promise.all(
          scripts.map(async (script) => {
            for (const action of script)
              expect([200, 201, 303, 400, 404, 409]).toContain(await perform(action));
          }),
        );
        const cents = (amount: unknown) => Math.round(Number(amount) * 100);
        for (const driver of drivers) {
          const [{ collected, handed }] = (await test.database.query(
            `select (select coalesce(sum(cod_cobrado), 0) from cobros where piloto_id = $1) as collected,
               (select coalesce(sum(esperado), 0) from caja_entregas where piloto_id = $1) as handed`,
            [driver.id],
          )) as [{ collected: string; handed: string }];
          expect(cents(handed) + cents(await carried(driver))).toBe(cents(collected));
        }
        // Whose own delivery was applied later has answered for the cash.
        const untold = await test.database.query(
          `select g.guia from guias g join eventos e on e.comercio_id = g.comercio_id and e.guia_id = g.id
           where g.id = any ($1) and ${IS_UNAPPLIED} and (e.datos->>'cod_cobrado')::numeric > 0
             and not g.advertencias && '{entrega_tardia,evento_de_otro_piloto}'
             and not exists (select from eventos d where d.comercio_id = g.comercio_id and d.guia_id = g.id
               and d.tipo = 'guia.estado_cambiado' and d.datos->>'estado' = 'entregado'
               and d.secuencia > e.secuencia and e.operador_id = coalesce(d.operador_id, (select o.operador_id from eventos o
                 where o.comercio_id = d.comercio_id and o.guia_id = d.guia_id and o.id::text = d.datos->>'aplica')))`,
          [guias.map(({ id }) => id)],
        );
        expect(untold).toEqual([]);
      }),
      { numRuns: propertyRuns(2) },
    );
  });
});
