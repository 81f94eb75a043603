import { Money } from '../support/money.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { opened, useTestApp } from '../support/use.js';

const OPERACIONES = '/api/v1/operaciones';
const UNKNOWN_ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

describe("operators' reads of amounts and settlements", () => {
  // Of its own: operators' lists show the amounts of all merchants.
  const test = useTestApp();
  let settled: string;

  const a = opened(() => Money.start(test));
  const b = opened(() => Money.start(test));

  beforeAll(async () => {
    await a.deliver(10);
    settled = (await a.settle()).body.liquidacion.id;
    await b.deliver(20.5);
    await a.deliver(30, { cod_cobrado: 29.99 });
    await b.lives.create({ cod_amount: 40 });
    await b.lives.in('cancelado', { cod_amount: 50 });
  });

  const get = (path: string, headers?: Record<string, string>) =>
    a.operator.get(`${OPERACIONES}/${path}`, headers);
  const amounts = async (query: string) => {
    const { status, body } = await get(`cobros?${query}`);
    expect(status).toBe(200);
    return body.cobros.map(({ cod_amount }: any) => cod_amount);
  };

  it('list the amounts of all merchants, newest guide first, each with its merchant', async () => {
    expect(await amounts('')).toEqual([50, 40, 30, 20.5, 10]);
    const ofA = (await a.merchant.get('/api/v1/cobros')).body.cobros;
    const { cobros } = (await get(`cobros?comercio=${a.merchant.id}`)).body;
    const comercio = { id: a.merchant.id, nombre: 'Tienda' };
    expect(cobros).toEqual(ofA.map((cobro: object) => ({ ...cobro, comercio })));
  });

  it.each([
    ['estado=cobrado', [30, 20.5]],
    ['estado=liquidado', [10]],
    ['estado=por_cobrar', [40]],
    ['estado=sin_cobro', [50]],
    ['desde=2020-01-01', [30, 20.5, 10]],
    ['desde=2020-01-01&estado=cobrado', [30, 20.5]],
    ['desde=2020-01-01&estado=sin_cobro', []],
    [`comercio=${UNKNOWN_ID}`, []],
    ['modo=prueba', []],
  ])('list amounts by %s', async (query, expected) => {
    expect(await amounts(query)).toEqual(expected);
  });

  it.each(['', '&desde=2020-01-01'])('list amounts page by page: "%s"', async (query) => {
    const found: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await get(`cobros?limit=2${query}${cursor && `&cursor=${cursor}`}`);
      found.push(...body.cobros.map(({ cod_amount }: any) => cod_amount));
      cursor = body.siguiente_cursor;
    }
    expect(found).toEqual(await amounts(`limit=100${query}`));
  });

  it('send all amounts as CSV, with their merchants', async () => {
    const { text, headers } = await get('cobros', { accept: 'text/csv' });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'guia,id,external_ref,cod_amount,cod_cobrado,moneda,estado,cobrado_en,liquidacion,comercio,comercio_nombre,pago,liquidado',
    );
    expect(lines).toHaveLength(6);
    expect(lines[1]).toMatch(new RegExp(`,50\\.00,,GTQ,sin_cobro,,,${b.merchant.id},Tienda,,$`));
  });

  it('show the settlements of all merchants, and the amounts of each', async () => {
    const other = (await b.settle()).body.liquidacion;
    const list = (await get('liquidaciones')).body.liquidaciones;
    expect(list.map(({ id }: any) => id)).toEqual([other.id, settled]);
    expect(list[0]).toEqual(other);
    const ofA = (await get(`liquidaciones?comercio=${a.merchant.id}`)).body.liquidaciones;
    expect(ofA.map(({ id }: any) => id)).toEqual([settled]);
    expect((await get('liquidaciones?modo=prueba')).body.liquidaciones).toEqual([]);
    expect((await get(`liquidaciones/${settled}`)).body).toEqual(
      (await a.merchant.get(`/api/v1/liquidaciones/${settled}`)).body,
    );
    expect((await get(`liquidaciones/${settled}/cobros`)).body).toEqual(
      (await a.merchant.get(`/api/v1/liquidaciones/${settled}/cobros`)).body,
    );
    const { text } = await get(`liquidaciones/${settled}/cobros`, { accept: 'text/csv' });
    expect(text.trimEnd().split('\r\n')).toHaveLength(2);
  });

  it('find no settlement that does not exist, nor a real one among tests', async () => {
    for (const path of [
      `liquidaciones/${UNKNOWN_ID}`,
      'liquidaciones/x',
      `liquidaciones/${settled}/cobros?modo=prueba`,
    ])
      expectProblem(await get(path), 'no_encontrado');
    expectFaults(await get('cobros?comercio=x'), ['comercio: formato']);
    expectProblem(await get('liquidaciones?cursor=x'), 'cursor_invalido');
    expectProblem(await a.merchant.get(`${OPERACIONES}/cobros`), 'sin_permiso');
  });
});
