import { Money } from '../support/money.js';
import type { Answer } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const ORDERS = 200;
const PER_REQUEST = 100;

/** What becomes of an order: a fifth each is cancelled, returned or delivered with another amount; the rest as due. */
const FATES = ['delivered', 'cancelled', 'returned', 'delivered short', 'delivered'] as const;

interface Order {
  ref: string;
  /** Cents. */
  due: bigint;
  fate: (typeof FATES)[number];
  guia: string;
}

/** Amounts with every last digit; a few of nothing. */
const dueOf = (n: number): bigint => (n % 17 === 0 ? 0n : BigInt(n) * 1_313n + 7n);

const cents = (amount: bigint) => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;

/** What Excel in Spanish saves: semicolons, decimal commas, CRLF, Windows-1252. */
function spreadsheet(orders: Order[]): Buffer {
  const header =
    'external_ref;Teléfono;Nombre;Departamento;Municipio;COD_AMOUNT;lat;lng;recogida.lat;recogida.lng';
  const rows = orders.map(({ ref, due }, n) =>
    [
      ...[ref, `5555 ${String(1_000 + n)}`, `Íñigo «Peña» ${n}`, 'Sacatepéquez', 'Antigua Guatemala'],
      ...[cents(due).replace('.', ','), '14,5586', '-90,7295', '14,6349', '-90,5069'],
    ].join(';'),
  );
  return Buffer.from([header, ...rows, ''].join('\r\n'), 'latin1');
}

/** Amounts of a summary in cents, from the very digits of the answer. */
function totalsOf({ text }: Answer): Record<string, { guias: number; due: bigint; got: bigint }> {
  const total = /"(\w+)":\{"guias":(\d+),"cod_amount":(\d+)(?:\.(\d+))?,"cod_cobrado":(\d+)(?:\.(\d+))?\}/g;
  const exact = (whole: string, part = '') => BigInt(whole + part.padEnd(2, '0'));
  return Object.fromEntries(
    [...text.matchAll(total)].map(([, estado, guias, due, dueCents, got, gotCents]) => [
      estado!,
      { guias: Number(guias), due: exact(due!, dueCents), got: exact(got!, gotCents) },
    ]),
  );
}

describe("a merchant's day", () => {
  const test = useSharedApp();
  const orders: Order[] = Array.from({ length: ORDERS }, (_, n) => ({
    ref: `pedido-${n}`,
    due: dueOf(n),
    fate: FATES[n % FATES.length]!,
    guia: '',
  }));
  /** What was collected of each order, in cents. */
  const got = new Map<Order, bigint>();

  const money = opened(() => Money.start(test));

  /** Orders by hundreds, as requests take them. */
  const requests = <T>(all: T[]) =>
    Array.from({ length: Math.ceil(all.length / PER_REQUEST) }, (_, n) =>
      all.slice(n * PER_REQUEST, (n + 1) * PER_REQUEST),
    );
  const move = async (moved: Order[], estado: string) => {
    for (const some of requests(moved)) {
      const eventos = some.map((order) => {
        if (estado === 'entregado')
          return { guia: order.guia, estado, cod_cobrado: Number(cents(got.get(order)!)) };
        return { guia: order.guia, estado };
      });
      const { body } = await money.operator.post('/api/v1/operaciones/eventos', { eventos });
      expect(body.resultados.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
    }
  };

  /** The summary must say this of each state, to the cent. */
  async function expectTotals(stateOf: (order: Order) => string): Promise<void> {
    const expected = Object.fromEntries(
      ['por_cobrar', 'cobrado', 'liquidado', 'sin_cobro', 'directo'].map((estado) => {
        const own = orders.filter((order) => order.due > 0n && stateOf(order) === estado);
        const sum = (of: (order: Order) => bigint) => own.reduce((sofar, order) => sofar + of(order), 0n);
        return [
          estado,
          { guias: own.length, due: sum(({ due }) => due), got: sum((order) => got.get(order) ?? 0n) },
        ];
      }),
    );
    expect(totalsOf(await money.list('/resumen'))).toEqual(expected);
  }

  it('balances to the cent, from a spreadsheet of 200 orders to the payment', async () => {
    const file = () =>
      test.request('/api/v1/guias/lote', {
        method: 'POST',
        headers: { authorization: `Bearer ${money.merchant.key}`, 'content-type': 'text/csv' },
        body: spreadsheet(orders),
      });
    const imported = await file();
    expect(imported.body).toMatchObject({ creadas: ORDERS, duplicadas: 0, rechazadas: 0 });
    for (const [n, order] of orders.entries()) order.guia = imported.body.resultados[n].guia;
    expect((await file()).body).toMatchObject({ creadas: 0, duplicadas: ORDERS });
    await expectTotals(() => 'por_cobrar');

    for (const some of requests(orders)) {
      const labels = await test.request('/api/v1/etiquetas', {
        method: 'POST',
        headers: { authorization: `Bearer ${money.merchant.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ guias: some.map(({ guia }) => guia), formato: 'zpl' }),
      });
      for (const { guia } of some) expect(labels.text).toContain(guia);
    }

    const [cancelled, returned, delivered] = ['cancelled', 'returned', 'delivered'].map((fate) =>
      orders.filter((order) => order.fate.startsWith(fate)),
    ) as [Order[], Order[], Order[]];
    await move(cancelled, 'cancelado');
    await expectTotals((order) => (cancelled.includes(order) ? 'sin_cobro' : 'por_cobrar'));

    const picked = [...returned, ...delivered];
    for (const estado of ['en_camino_a_recoger', 'recogido']) await move(picked, estado);
    for (const estado of ['en_devolucion', 'devuelto']) await move(returned, estado);
    await move(delivered, 'en_ruta');
    const isLost = (order: Order) => !delivered.includes(order);
    await expectTotals((order) => (isLost(order) ? 'sin_cobro' : 'por_cobrar'));

    const short = ({ fate, due }: Order) => fate === 'delivered short' && due > 0n;
    for (const order of delivered) got.set(order, short(order) ? order.due - 1n : order.due);
    await move(delivered, 'entregado');
    await expectTotals((order) => (isLost(order) ? 'sin_cobro' : 'cobrado'));

    const corrected = delivered.find(short)!;
    got.set(corrected, corrected.due);
    const correction = await money.correct(corrected.guia, { cod_cobrado: Number(cents(corrected.due)) });
    expect(correction.status).toBe(201);
    await expectTotals((order) => (isLost(order) ? 'sin_cobro' : 'cobrado'));

    const { status, body, text } = await money.settle({ ref: 'semana-47' });
    const sum = [...got.values()].reduce((sofar, amount) => sofar + amount, 0n);
    expect(status).toBe(201);
    expect(/"cobrado":(\d+)\.?(\d*)/.exec(text)!.slice(1)).toEqual([
      String(sum / 100n),
      cents(sum).split('.')[1]!.replace(/0+$/, ''),
    ]);
    await expectTotals((order) => (isLost(order) ? 'sin_cobro' : 'liquidado'));

    const paid = await money.pay(body.liquidacion.id, { referencia_pago: 'TRF-1' });
    expect(paid.body.liquidacion).toMatchObject({
      ...body.liquidacion,
      referencia_pago: 'TRF-1',
      pagada_en: expect.any(String),
    });
    await expectTotals((order) => (isLost(order) ? 'sin_cobro' : 'liquidado'));
  });
});
