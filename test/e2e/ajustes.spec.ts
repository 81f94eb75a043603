import { withClient } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Money } from '../support/money.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { useSharedApp } from '../support/use.js';

const AJUSTES = '/api/v1/operaciones/ajustes';
const UNKNOWN = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('adjustments', () => {
  const test = useSharedApp();
  let money: Money;

  beforeEach(async () => {
    money = await Money.start(test);
  });

  const own = async (query = '') => (await money.merchant.get(`/api/v1/ajustes${query}`)).body;
  const remove = (id: string, query = '') => money.operator.delete(`${AJUSTES}/${id}${query}`);
  const liquidacion = async (body?: object) => (await money.settle(body)).body.liquidacion;

  it('are made for a merchant, of a guide by number or id, once for a ref', async () => {
    const { id, guia } = await money.lives.create();
    const made = await money.adjust(-100.25, { motivo: ' Dañado ', guia: id, ref: 'a' });
    const ajuste = {
      ...{ id: expect.any(String), comercio: money.merchant.id, guia, moneda: 'GTQ', monto: -100.25 },
      ...{ motivo: 'Dañado', creado_en: TIME, liquidacion: null },
    };
    expect([made.status, made.body]).toEqual([201, { ok: true, ajuste }]);
    const again = await money.adjust(-100.25, { motivo: 'Dañado', guia, ref: 'a' });
    expect([again.status, again.body]).toEqual([200, { ...made.body, duplicado: true }]);
    expect(again.headers.get('guias-campos-distintos')).toBeNull();
    const other = await money.adjust(1, { motivo: 'Otro', ref: 'a' });
    expect(other.headers.get('guias-campos-distintos')).toBe('monto, motivo, guia');
    expect((await money.adjust(5, { ref: 'a' }, await test.operator('Otra'))).status).toBe(201);
    expect((await own()).ajustes).toMatchObject([
      { monto: 5, guia: null },
      { monto: -100.25, guia },
    ]);
  });

  it.each<[what: string, body: object, fault: Parameters<typeof expectFaults>[1][number]]>([
    ['no merchant', { comercio: undefined }, 'comercio: requerido'],
    ['a merchant that is no id', { comercio: 'x' }, 'comercio: formato'],
    ['nothing', { monto: 0 }, 'monto: fuera_de_rango'],
    ['a third decimal', { monto: 1.001 }, 'monto: formato'],
    ['an amount that is a text', { monto: '5' }, 'monto: tipo'],
    ['no reason', { motivo: ' ' }, 'motivo: requerido'],
    ['a reason that is too long', { motivo: 'x'.repeat(201) }, 'motivo: demasiado_largo'],
  ])('are refused with %s', async (_, body, fault) => {
    expectFaults(await money.adjust(5, body), [fault]);
  });

  it("are 404 for an unknown merchant, and a guide that is not the merchant's", async () => {
    const stranger = await Money.start(test);
    const { guia } = await stranger.lives.create();
    expectProblem(await money.adjust(5, { comercio: UNKNOWN }), 'no_encontrado');
    for (const unknown of [guia, UNKNOWN, 'x']) {
      const answer = await money.adjust(5, { guia: unknown, ref: 'a' });
      expectProblem(answer, 'no_encontrado');
    }
    expect((await money.adjust(5, { ref: 'a' })).status).toBe(201);
  });

  it('are listed newest first to merchant and operators, by state, time and merchant, page by page and as CSV', async () => {
    await money.adjust(5);
    const settled = await liquidacion();
    const { guia } = await money.lives.create();
    await money.adjust(-0.5, { motivo: '=1+1', guia });
    await money.adjust(7);
    const montos = ({ ajustes }: any) => ajustes.map(({ monto }: any) => monto);
    expect(montos(await own())).toEqual([7, -0.5, 5]);
    expect(montos(await own('?estado=pendiente'))).toEqual([7, -0.5]);
    expect(await own('?estado=liquidado')).toMatchObject({
      ajustes: [{ monto: 5, liquidacion: settled.id }],
    });
    expect(montos(await own('?desde=2020-01-01&hasta=2020-12-31'))).toEqual([]);
    expect(montos(await own('?desde=2020-01-01&hasta=2099-12-31&zona=comercio'))).toEqual([7, -0.5, 5]);
    const first = await own('?limit=2');
    expect(montos(await own(`?limit=2&cursor=${first.siguiente_cursor}`))).toEqual([5]);
    expectProblem(
      await money.merchant.get(`/api/v1/ajustes?estado=pendiente&cursor=${first.siguiente_cursor}`),
      'cursor_invalido',
    );
    expectFaults(await money.merchant.get('/api/v1/ajustes?estado=x&desde=2026-01-02&hasta=2026-01-01'), [
      'estado: formato',
      'desde: fuera_de_rango',
    ]);
    const ofAll = `${AJUSTES}?comercio=${money.merchant.id}`;
    expect((await money.operator.get(ofAll)).body).toEqual(await own());
    expect((await money.operator.get(`${AJUSTES}?comercio=${UNKNOWN}`)).body.ajustes).toEqual([]);
    const csv = { accept: 'text/csv' };
    const { text } = await money.merchant.get('/api/v1/ajustes', csv);
    const [head, , line, last] = text.split('\r\n');
    expect(head).toBe('id,guia,moneda,monto,motivo,creado_en,liquidacion');
    expect(line).toMatch(new RegExp(`^[0-9a-f-]{36},${guia},GTQ,-0\\.50,'=1\\+1,.{23}Z,$`));
    expect(last).toMatch(new RegExp(`,,GTQ,5\\.00,Paquete dañado,.{23}Z,${settled.id}$`));
    const file = (await money.operator.get(ofAll, csv)).text.split('\r\n');
    expect(file[0]).toBe(`${head},comercio,comercio_nombre`);
    expect(file[1]).toContain(`,${money.merchant.id},Tienda`);
    const stranger = await test.merchant();
    expect((await stranger.get('/api/v1/ajustes')).body.ajustes).toEqual([]);
  });

  it('are removed while they are pending, and never once they are settled', async () => {
    const { id } = (await money.adjust(5)).body.ajuste;
    expectProblem(await remove(id, '?modo=prueba'), 'no_encontrado');
    const { status, text } = await remove(id);
    expect([status, text]).toEqual([204, '']);
    for (const gone of [id, UNKNOWN, 'x']) expectProblem(await remove(gone), 'no_encontrado');
    const kept = (await money.adjust(5)).body.ajuste;
    await liquidacion();
    expectProblem(await remove(kept.id), 'ajuste_liquidado');
  });

  it('of tests are apart, by the id of the merchant', async () => {
    const tester = await test.tester(money.merchant.id);
    const body = { comercio: money.merchant.id, monto: 5, motivo: 'x' };
    const { ajuste } = (await money.operator.post(`${AJUSTES}?modo=prueba`, body)).body;
    expect(ajuste.comercio).toBe(money.merchant.id);
    expect((await own()).ajustes).toEqual([]);
    expect((await tester.get('/api/v1/ajustes')).body.ajustes).toEqual([ajuste]);
    const listed = `${AJUSTES}?comercio=${money.merchant.id}`;
    expect((await money.operator.get(listed)).body.ajustes).toEqual([]);
    expect((await money.operator.get(`${listed}&modo=prueba`)).body.ajustes).toEqual([ajuste]);
    expectProblem(await remove(ajuste.id), 'no_encontrado');
    expect((await remove(ajuste.id, '?modo=prueba')).status).toBe(204);
    expectProblem(await money.adjust(5, { comercio: tester.id }), 'no_encontrado');
  });

  describe('in settlements', () => {
    it('are taken up to hasta, summed beside what was collected, and listed', async () => {
      await money.deliver(10.1);
      await money.adjust(-3.35, { motivo: 'uno' });
      await money.adjust(0.25, { motivo: 'dos' });
      const settled = await liquidacion();
      expect(settled).toMatchObject({ guias: 1, cobrado: 10.1, ajustes: -3.1, neto: 7 });
      const path = `liquidaciones/${settled.id}/ajustes`;
      const { body } = await money.merchant.get(`/api/v1/${path}`);
      expect(body).toEqual({ ok: true, ajustes: expect.any(Array), siguiente_cursor: null });
      expect(body.ajustes).toMatchObject([
        { motivo: 'dos', liquidacion: settled.id },
        { motivo: 'uno', liquidacion: settled.id },
      ]);
      expect((await money.operator.get(`/api/v1/operaciones/${path}`)).body).toEqual(body);
      const { text } = await money.merchant.get(`/api/v1/${path}`, { accept: 'text/csv' });
      expect(text.split('\r\n')[2]).toContain(',GTQ,-3.35,uno,');
      expectProblem(await (await test.merchant()).get(`/api/v1/${path}`), 'no_encontrado');
      await money.adjust(4);
      await money.deliver(1, { at: '2026-01-01T12:00:00.000Z' });
      expect(await liquidacion({ hasta: '2026-01-02' })).toMatchObject({ cobrado: 1, ajustes: 0, neto: 1 });
      expect((await own('?estado=pendiente')).ajustes).toMatchObject([{ monto: 4 }]);
    });

    it('without guides are settled above 0, and nothing is settled at 0', async () => {
      const first = (await money.adjust(5)).body.ajuste;
      await money.adjust(-5);
      expectProblem(await money.settle({ ref: 'r' }), 'nada_por_liquidar');
      await money.adjust(2);
      const settled = await money.settle({ ref: 'r' });
      expect([settled.status, settled.body.liquidacion]).toMatchObject([
        201,
        { guias: 0, cobrado: 0, ajustes: 2, neto: 2, desde: first.creado_en },
      ]);
      const paid = await money.pay(settled.body.liquidacion.id, { referencia_pago: 'TRF-1' });
      expect(paid.body.liquidacion).toMatchObject({ neto: 2, referencia_pago: 'TRF-1' });
    });

    it('that take away more than was collected settle nothing, and the ref is free', async () => {
      const guia = await money.deliver(10);
      await money.adjust(-10.01);
      for (const ref of ['r', undefined]) expectProblem(await money.settle({ ref }), 'neto_negativo');
      expect(await money.of(guia)).toMatchObject({ estado: 'cobrado', liquidacion: null });
      expect((await own()).ajustes).toMatchObject([{ liquidacion: null }]);
      await money.adjust(0.01);
      const { status, body } = await money.settle({ ref: 'r' });
      expect([status, body.liquidacion]).toMatchObject([
        201,
        { guias: 1, cobrado: 10, ajustes: -10, neto: 0 },
      ]);
      await money.adjust(-1);
      expectProblem(await money.settle(), 'neto_negativo');
    });

    it('beside a removal are there or not, and one of the two wins', async () => {
      await money.deliver(10);
      const { id } = (await money.adjust(-4)).body.ajuste;
      const [settled, removed] = await withClient(test.database.url, async (holder) => {
        await holder.query('begin');
        await holder.query('select from ajustes where id = $1 for update', [id]);
        const both = Promise.all([money.settle(), remove(id)]);
        await eventually(async () => {
          const [row] = await test.database.query<{ count: number }>(
            `select count(*)::int as count from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'`,
          );
          expect(row!.count).toBe(2);
        });
        await holder.query('commit');
        return both;
      });
      const isRemoved = removed.status === 204;
      if (!isRemoved) expectProblem(removed, 'ajuste_liquidado');
      expect([settled.status, settled.body.liquidacion.neto]).toEqual([201, isRemoved ? 10 : 6]);
      expect((await own()).ajustes).toHaveLength(isRemoved ? 0 : 1);
    });
  });

  describe('after a settlement', () => {
    const undo = (id: string, body: object) =>
      money.operator.post(`/api/v1/operaciones/guias/${id}/deshacer`, { motivo: 'Otra guía', ...body });
    const detail = async (id: string) => (await money.merchant.get(`/api/v1/guias/${id}`)).body.guia;
    const pending = async () => (await own('?estado=pendiente')).ajustes;
    const sums = async () => (await money.merchant.get('/api/v1/cobros/resumen')).body;

    it('a correction with ajustar changes the amount, and adjusts the next settlement by the difference', async () => {
      const guia = await money.deliver(109.5, { cod_cobrado: 1095 });
      const settled = await liquidacion();
      const refused = await money.correct(guia.id, { cod_cobrado: 109.5 });
      expectProblem(refused, 'cobro_liquidado');
      expect(refused.body.detail).toContain('`ajustar: true`');
      await money.pay(settled.id, { referencia_pago: 'TRF-1' });
      const body = { cod_cobrado: 109.5, ajustar: true, nota: 'ñ'.repeat(201), ref: 'c' };
      expect((await money.correct(guia.id, body)).status).toBe(201);
      const again = await money.correct(guia.id, body);
      expect([again.status, again.headers.get('guias-campos-distintos')]).toEqual([200, null]);
      const own = { estado: 'liquidado', cod_cobrado: 109.5, liquidado: 1095, liquidacion: settled.id };
      expect(await money.of(guia)).toMatchObject(own);
      expect(await pending()).toMatchObject([
        { guia: guia.guia, monto: -985.5, motivo: `${'ñ'.repeat(199)}…`, liquidacion: null },
      ]);
      expectProblem(await remove((await pending())[0].id), 'ajuste_automatico');
      await money.correct(guia.id, { cod_cobrado: 100, ajustar: true });
      await money.correct(guia.id, { cod_cobrado: 100, ajustar: true });
      expect((await pending()).map(({ monto }: any) => monto)).toEqual([-9.5, -985.5]);
      expect((await pending())[0].motivo).toBe('Se corrigió lo cobrado de una guía ya liquidada');
      await money.deliver(2000);
      expect(await liquidacion()).toMatchObject({ cobrado: 2000, ajustes: -995, neto: 1005 });
      expect(
        (await money.merchant.get(`/api/v1/liquidaciones/${settled.id}`)).body.liquidacion,
      ).toMatchObject({
        ...{ cobrado: 1095, neto: 1095, referencia_pago: 'TRF-1' },
      });
      const csv = await money.merchant.get(`/api/v1/liquidaciones/${settled.id}/cobros`, {
        accept: 'text/csv',
      });
      expect(csv.text.split('\r\n')[0]).toMatch(/,liquidado$/);
      expect(csv.text.split('\r\n')[1]).toMatch(/,100\.00,GTQ,liquidado,.*,efectivo,1095\.00$/);
    });

    it('an undo with ajustar takes the amount back, and another delivery adjusts again', async () => {
      const guia = await money.deliver(50);
      const settled = await liquidacion();
      const { cobrado_en } = await money.of(guia);
      expectProblem(await undo(guia.id, {}), 'cobro_liquidado');
      expect((await undo(guia.id, { ajustar: true })).body).toMatchObject({ estado: 'en_ruta' });
      expect(await money.of(guia)).toMatchObject({
        ...{
          estado: 'liquidado',
          cod_cobrado: 0,
          liquidado: 50,
          pago: null,
          cobrado_en,
          liquidacion: settled.id,
        },
      });
      expect(await detail(guia.id)).toMatchObject({ cod_cobrado: null, pago: null });
      for (const query of ['', '?estado=liquidado', '?desde=2020-01-01'])
        expect((await money.list(query)).body.cobros).toHaveLength(1);
      expect((await money.list('?estado=por_cobrar')).body.cobros).toEqual([]);
      const nothing = { guias: 0, cod_amount: 0, cod_cobrado: 0 };
      expect(await sums()).toMatchObject({
        ...{ por_cobrar: nothing, liquidado: { guias: 1, cod_amount: 50, cod_cobrado: 0 }, diferencia: 0 },
      });
      expect(await pending()).toMatchObject([{ monto: -50, motivo: 'Otra guía', guia: guia.guia }]);
      // Another move than the delivery touches no amount.
      await money.operator.move(guia.id, { estado: 'recogido' });
      expect((await undo(guia.id, {})).body).toMatchObject({ estado: 'en_ruta' });
      expect(await pending()).toHaveLength(1);
      await money.operator.move(guia.id, { estado: 'entregado', cod_cobrado: 48 });
      expect(await money.of(guia)).toMatchObject({
        cod_cobrado: 48,
        liquidado: 50,
        pago: 'efectivo',
        cobrado_en,
      });
      expect(await detail(guia.id)).toMatchObject({ cod_cobrado: 48 });
      expect((await pending()).map(({ monto }: any) => monto)).toEqual([48, -50]);
      expect((await pending())[0].motivo).toBe('Se entregó otra vez una guía ya liquidada');
      expect(await sums()).toMatchObject({ diferencia: -2 });
      await money.correct(guia.id, { pago: 'directo', ajustar: true });
      expect(await money.of(guia)).toMatchObject({ estado: 'liquidado', cod_cobrado: 0, pago: 'directo' });
      expect(await sums()).toMatchObject({ diferencia: 0, directo: { guias: 0 } });
      expectProblem(await money.settle(), 'neto_negativo');
    });

    it('of a guide with nothing due is one item, too, with the amount that is due since, and asks for no ajustar', async () => {
      const guia = await money.lives.create({ cod_amount: 0 });
      const deliver = async (cod_cobrado?: number) => {
        for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta', 'entregado'])
          await money.operator.move(guia.id, { estado, ...(estado === 'entregado' && { cod_cobrado }) });
        expect((await detail(guia.id)).estado).toBe('entregado');
      };
      const patch = (body: object) => money.merchant.patch(`/api/v1/guias/${guia.id}`, body);
      await deliver(5);
      await liquidacion();
      for (const ajustar of [true, false, false, false]) await undo(guia.id, { ajustar });
      for (const cod_amount of [50, 60.5]) {
        expect((await patch({ cod_amount })).status).toBe(200);
        expect((await money.list()).body.cobros).toEqual([
          expect.objectContaining({ estado: 'liquidado', cod_amount, cod_cobrado: 0, liquidado: 5 }),
        ]);
        for (const estado of ['por_cobrar', 'sin_cobro'])
          expect((await money.list(`?estado=${estado}`)).body.cobros).toEqual([]);
        expect(await sums()).toMatchObject({
          ...{ por_cobrar: { guias: 0 }, liquidado: { guias: 1, cod_amount, cod_cobrado: 0 }, diferencia: 0 },
        });
      }
      await patch({ cod_amount: 0 });
      await deliver();
      expect((await undo(guia.id, {})).status).toBe(201);
      await money.operator.move(guia.id, { estado: 'entregado', cod_cobrado: 3 });
      expectProblem(await undo(guia.id, {}), 'cobro_liquidado');
      expect((await pending()).map(({ monto }: any) => monto)).toEqual([3, -5]);
    });

    it('the drawer follows, of who delivers again, too', async () => {
      const pilotos = await Promise.all(
        ['Marvin', 'Rosa'].map(async (nombre) => {
          const { body } = await money.operator.post('/api/v1/operaciones/pilotos', { nombre });
          return body.piloto.id as string;
        }),
      );
      const carried = () =>
        Promise.all(
          pilotos.map(async (id) => {
            const { caja } = (await money.operator.get(`/api/v1/operaciones/pilotos/${id}/caja`)).body;
            return caja[0]?.monto ?? 0;
          }),
        );
      const guia = await money.lives.in('en_ruta', { cod_amount: 50 });
      const deliver = (piloto: string, cod_cobrado: number) =>
        money.operator.move(guia.id, { estado: 'entregado', cod_cobrado, piloto });
      await deliver(pilotos[0]!, 50);
      await liquidacion();
      await money.correct(guia.id, { cod_cobrado: 45, ajustar: true });
      expect(await carried()).toEqual([45, 0]);
      await undo(guia.id, { ajustar: true });
      expect(await carried()).toEqual([0, 0]);
      await deliver(pilotos[1]!, 50);
      await money.correct(guia.id, { cod_cobrado: 51, ajustar: true });
      expect(await carried()).toEqual([0, 51]);
    });
  });
});
