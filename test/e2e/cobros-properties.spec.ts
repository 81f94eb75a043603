import fc from 'fast-check';
import { PAGO_CODES, type Pago } from '../../src/guias/guia/pago.js';
import { BALANCED, balanceOf, Money } from '../support/money.js';
import { propertyRuns } from '../support/property-runs.js';
import { useTestApp } from '../support/use.js';

/** Often nothing, or an amount that comes again; else cents, so that amounts have every digit. */
const anyAmount = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constantFrom(50, 99.99) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 100_000_000 }).map((cents) => cents / 100) },
);
/** Nobody says it, or any. */
const anyPago = fc.constantFrom<[Pago | undefined, ...Pago[]]>(undefined, ...PAGO_CODES);
/** What a request says of an amount: of what is paid to the merchant none. */
const paid = (cod_cobrado: number, pago: Pago | undefined) =>
  pago === 'directo' ? { pago } : { cod_cobrado, pago };

/** Often the same few guides. */
const anyIndex = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.nat({ max: 100 }) },
);

const anyAction = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      due: anyAmount,
      got: anyAmount,
      pago: anyPago,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('return' as const), due: anyAmount }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('correct' as const),
      which: anyIndex,
      got: anyAmount,
      ajustar: fc.boolean(),
      pago: anyPago,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('again' as const), which: anyIndex, got: anyAmount }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      ref: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
      which: fc.option(anyIndex, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pay' as const), which: anyIndex }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('adjust' as const), got: anyAmount, isLess: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), which: anyIndex }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const) }) },
);
type Action = typeof anyAction extends fc.Arbitrary<infer A> ? A : never;

/** Four actors at once; each performs eight actions one after the other. */
const anyScripts = fc.array(fc.array(anyAction, { minLength: 8, maxLength: 8 }), {
  minLength: 4,
  maxLength: 4,
});

describe('what was collected', () => {
  // Of its own: all connections of the database are cut.
  const test = useTestApp();
  let money: Money;

  const expectBalance = async () => {
    expect(await balanceOf(test.database, money.merchant.id)).toEqual(BALANCED);
  };
  const pick = <T>(all: T[], which: number): T | undefined => all[which % all.length];

  /** 503: its connection was cut. 400: an amount of what stays paid to the merchant. */
  const STATUSES: Record<Action['do'], number[]> = {
    ...{
      deliver: [201, 503],
      return: [201, 503],
      correct: [201, 400, 409, 503],
      again: [201, 409, 503],
      settle: [200, 201, 409, 503],
    },
    ...{ pay: [200, 409, 503], cut: [200], adjust: [201, 400, 503], remove: [204, 404, 409, 503] },
  };

  it('always equals settled plus still to be settled, whatever runs concurrently or is interrupted', async () => {
    await fc.assert(
      fc.asyncProperty(anyScripts, async (scripts) => {
        money = await Money.start(test);
        const delivered: { id: string; at: string }[] = [];
        const settled: string[] = [];
        const adjusted: string[] = [];
        const inState = async (estado: string, cod_amount: number) => {
          const guia = await money.lives.create({ cod_amount }).catch(() => undefined);
          if (guia)
            await test.database.query('update guias set estado = $2 where id = $1', [guia.id, estado]);
          return guia;
        };
        const perform = async (action: Action): Promise<number> => {
          switch (action.do) {
            case 'deliver': {
              const guia = await inState('en_ruta', action.due);
              if (!guia) return 503;
              const at = new Date().toISOString();
              const body = { estado: 'entregado', ...paid(action.got, action.pago) };
              const { status } = await money.operator.move(guia.id, body);
              if (status === 201) delivered.push({ id: guia.id, at });
              return status;
            }
            case 'return': {
              const guia = await inState('en_devolucion', action.due);
              return guia ? (await money.operator.move(guia.id, { estado: 'devuelto' })).status : 503;
            }
            case 'correct': {
              const guia = pick(delivered, action.which);
              const body = { ...paid(action.got, action.pago), ajustar: action.ajustar };
              return guia ? (await money.correct(guia.id, body)).status : 201;
            }
            case 'again': {
              const guia = pick(delivered, action.which);
              if (!guia) return 201;
              const path = `/api/v1/operaciones/guias/${guia.id}/deshacer`;
              const undone = await money.operator.post(path, { motivo: 'x', ajustar: true });
              if (undone.status !== 201) return undone.status;
              const body = { estado: 'entregado', cod_cobrado: action.got };
              return (await money.operator.move(guia.id, body)).status;
            }
            case 'settle': {
              const hasta = action.which === undefined ? undefined : pick(delivered, action.which)?.at;
              const { status, body } = await money.settle({ ref: action.ref, hasta });
              if (status === 201) settled.push(body.liquidacion.id);
              return status;
            }
            case 'pay': {
              const id = pick(settled, action.which);
              return id ? (await money.pay(id, { referencia_pago: String(Math.random()) })).status : 200;
            }
            case 'adjust': {
              const { status, body } = await money.adjust(action.isLess ? -action.got : action.got);
              if (status === 201) adjusted.push(body.ajuste.id);
              return status;
            }
            case 'remove': {
              const id = pick(adjusted, action.which);
              return id ? (await money.operator.delete(`/api/v1/operaciones/ajustes/${id}`)).status : 204;
            }
            case 'cut': {
              await test.database.query(`select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and application_name = 'guias' and state <> 'idle'`);
              return 200;
            }
          }
        };
        await Promise.all(
          scripts.map(async (script) => {
            for (const action of script) {
              expect(STATUSES[action.do]).toContain(await perform(action));
              await expectBalance();
            }
          }),
        );
        // More than all adjustments take away.
        while ((await money.adjust(100_000_000)).status === 503);
        let rest = 503;
        while (rest === 503) rest = (await money.settle()).status;
        expect(rest).toBe(201);
        await expectBalance();
        expect((await money.list('?estado=cobrado')).body.cobros).toEqual([]);
      }),
      // Shrinking is useless: another run of the same scripts is another race.
      { numRuns: propertyRuns(2), endOnFailure: true },
    );
  });
});
