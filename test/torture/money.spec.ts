import { PAGO_CODES } from '../../src/guias/guia/pago.js';
import { Money } from '../support/money.js';
import { createTestApp, type Answer, type TestApp } from '../support/test-app.js';

/** `npm run torture -- money` makes more. */
const ROUNDS = Number(process.env.MONEY_ROUNDS ?? 5);
const HANDS = 20;

/** An amount that a hand reported and the service acknowledged. */
interface Reported {
  secuencia: number;
  cod_cobrado: number;
}

/** One snapshot of a merchant's money. */
const SUMS = `select
  (select coalesce(sum(cod_cobrado), 0)::float8 from cobros where comercio_id = $1) as stored,
  (select coalesce(sum(cod_cobrado), 0)::float8 from cobros where comercio_id = $1 and liquidacion_id is not null) as settled,
  (select coalesce(sum(cobrado), 0)::float8 from liquidaciones where comercio_id = $1) as paid_out`;

describe('one guide in 20 hands at once: delivered, corrected, edited, settled', () => {
  let test: TestApp;
  let money: Money;

  beforeAll(async () => {
    test = await createTestApp();
    money = await Money.start(test);
  });
  afterAll(() => test.close());

  const anyAmount = (round: number) =>
    round % 2 === 0 || Math.random() < 0.5 ? 0 : [50, 100, 99.99][Math.floor(Math.random() * 3)]!;

  /** What one hand does, and the statuses that it may get. */
  const act = async (round: number, hand: number, id: string, reported: Reported[]): Promise<Answer> => {
    const pago = PAGO_CODES[Math.floor(Math.random() * PAGO_CODES.length)]!;
    const cod_cobrado = hand % 2 === 0 || pago === 'directo' ? 0 : anyAmount(round);
    const kind = hand % 10;
    if (kind < 2) {
      const answer = await money.operator.move(id, { estado: 'entregado', cod_cobrado, pago });
      if (answer.status === 201) reported.push({ secuencia: answer.body.secuencia, cod_cobrado });
      expect([201, 409]).toContain(answer.status);
      return answer;
    }
    if (kind === 2) {
      const answer = await money.lives.merchant.patch(`/api/v1/guias/${id}`, { notas: `mano ${hand}` });
      expect([200, 409]).toContain(answer.status);
      return answer;
    }
    if (kind === 3 && Math.random() < 0.3) {
      const answer = await money.settle();
      expect([201, 409]).toContain(answer.status);
      return answer;
    }
    const answer = await money.correct(id, { cod_cobrado, pago });
    if (answer.status === 201) reported.push({ secuencia: answer.body.secuencia, cod_cobrado });
    expect([201, 409]).toContain(answer.status);
    return answer;
  };

  it(`history, amounts, settlements and answers agree to the cent after each of ${ROUNDS} rounds`, async () => {
    let expected = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const guia = await money.lives.in('en_ruta', { cod_amount: round % 2 === 0 ? 0 : 50 });
      const reported: Reported[] = [];
      const hands = Array.from({ length: HANDS }, (_, hand) => hand);
      await Promise.all(hands.map((hand) => act(round, hand, guia.id, reported)));
      const last = reported.toSorted((a, b) => a.secuencia - b.secuencia).at(-1)!;
      const events: any[] = await money.lives.events(guia);
      const told = events.filter(
        ({ tipo, cod_cobrado }) => cod_cobrado !== null && tipo !== 'guia.cod_distinto',
      );
      expect(told.map(({ secuencia, cod_cobrado }) => ({ secuencia, cod_cobrado }))).toEqual(
        reported.toSorted((a, b) => a.secuencia - b.secuencia),
      );
      expect((await money.lives.read(guia)).guia.cod_cobrado ?? 0).toBe(last.cod_cobrado);
      expected = Math.round((expected + last.cod_cobrado) * 100) / 100;
      const [sums] = await test.database.query<Record<string, number>>(SUMS, [money.merchant.id]);
      const cents = Object.fromEntries(
        Object.entries(sums!).map(([name, sum]) => [name, Math.round(sum * 100) / 100]),
      );
      expect(cents).toEqual({ stored: expected, settled: cents.paid_out, paid_out: cents.paid_out });
    }
  });
});
