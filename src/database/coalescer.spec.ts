import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { Coalescer, type CoalescerLimits } from './coalescer.js';

const LIMITS: CoalescerLimits = { lanes: 2, size: 3, waitMs: 60_000, isFaultOfOne: () => false };

/** Runs that end when they are told to; each input is answered with its double. */
class Stage {
  readonly begun: number[][] = [];
  private readonly endings: (() => void)[] = [];

  constructor(private readonly fault: (inputs: number[]) => Error | undefined = () => undefined) {}

  readonly run = async (inputs: number[]): Promise<number[]> => {
    this.begun.push(inputs);
    await new Promise<void>((resolve) => this.endings.push(resolve));
    const fault = this.fault(inputs);
    if (fault) throw fault;
    return inputs.map((input) => 2 * input);
  };

  /** Ends the oldest run that is under way. */
  async end(): Promise<void> {
    this.endings.shift()!();
    await nextTurn();
  }

  async endAll(): Promise<void> {
    while (this.endings.length > 0) await this.end();
  }
}

function open(over: Partial<CoalescerLimits> = {}, fault?: (inputs: number[]) => Error | undefined) {
  const stage = new Stage(fault);
  return { stage, coalescer: new Coalescer(stage.run, { ...LIMITS, ...over }) };
}

describe('Coalescer', () => {
  it('runs a single call at the end of its tick', async () => {
    const { stage, coalescer } = open();
    const answer = coalescer.call(1);
    await nextTurn();
    expect(stage.begun).toEqual([[1]]);
    await stage.end();
    expect(await answer).toBe(2);
  });

  it('runs the calls of one tick together, and answers each with its own', async () => {
    const { stage, coalescer } = open();
    const answers = Promise.all([1, 2, 3].map((n) => coalescer.call(n)));
    await nextTurn();
    expect(stage.begun).toEqual([[1, 2, 3]]);
    await stage.end();
    expect(await answers).toEqual([2, 4, 6]);
  });

  it('fills all lanes, each up to its size; what comes then waits for the first that is free', async () => {
    const { stage, coalescer } = open();
    const answers = Promise.all([1, 2, 3, 4, 5, 6, 7].map((n) => coalescer.call(n)));
    await nextTurn();
    expect(stage.begun).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const late = coalescer.call(8);
    await nextTurn();
    expect(stage.begun).toHaveLength(2);
    await stage.end();
    expect(stage.begun[2]).toEqual([7, 8]);
    await stage.endAll();
    expect(await answers).toEqual([2, 4, 6, 8, 10, 12, 14]);
    expect(await late).toBe(16);
  });

  it('uses a free lane while another is busy', async () => {
    const { stage, coalescer } = open();
    const first = coalescer.call(1);
    await nextTurn();
    const second = coalescer.call(2);
    await nextTurn();
    expect(stage.begun).toEqual([[1], [2]]);
    await stage.endAll();
    expect(await Promise.all([first, second])).toEqual([2, 4]);
  });

  it('fails every call of a run that failed, and goes on with the next', async () => {
    const { stage, coalescer } = open({ lanes: 1 }, (inputs) =>
      inputs.includes(1) ? new Error('the database is away') : undefined,
    );
    const answers = Promise.allSettled([1, 2, 3, 4].map((n) => coalescer.call(n)));
    await nextTurn();
    await stage.endAll();
    expect((await answers).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(stage.begun).toEqual([[1, 2, 3], [4]]);
  });

  it('runs each by itself where the fault is of one: the others do not suffer for it', async () => {
    const fault = new Error('2 is no value');
    const { stage, coalescer } = open({ isFaultOfOne: (error) => error === fault }, (inputs) =>
      inputs.includes(2) ? fault : undefined,
    );
    const answers = Promise.allSettled([1, 2, 3].map((n) => coalescer.call(n)));
    await nextTurn();
    await stage.endAll();
    expect(await answers).toEqual([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: fault },
      { status: 'fulfilled', value: 6 },
    ]);
    expect(stage.begun).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  describe('where a call may wait 800 ms', () => {
    const TOO_LATE = { status: 'rejected', reason: { codigo: 'no_disponible' } };
    let now = 0;
    beforeEach(() => jest.spyOn(performance, 'now').mockImplementation(() => now));
    afterEach(() => jest.restoreAllMocks());

    it('does not run what has waited longer, and says so', async () => {
      const { stage, coalescer } = open({ lanes: 1, waitMs: 800 });
      const answers = Promise.allSettled([coalescer.call(1)]);
      await nextTurn();
      const late = Promise.allSettled([coalescer.call(2)]);
      now += 100;
      const intime = coalescer.call(3);
      now += 701;
      await stage.endAll();
      expect(await late).toMatchObject([TOO_LATE]);
      expect(await intime).toBe(6);
      expect(await answers).toEqual([{ status: 'fulfilled', value: 2 }]);
      expect(stage.begun).toEqual([[1], [3]]);
    });

    it('counts from when the caller says that its wait began', async () => {
      const { stage, coalescer } = open({ waitMs: 800 });
      const answers = Promise.allSettled([coalescer.call(1, now - 801), coalescer.call(2, now - 800)]);
      await nextTurn();
      await stage.endAll();
      expect(await answers).toMatchObject([TOO_LATE, { status: 'fulfilled', value: 4 }]);
      expect(stage.begun).toEqual([[2]]);
    });

    it('counts on while those of a run are run one by one', async () => {
      const fault = new Error('2 is no value');
      const { stage, coalescer } = open({ waitMs: 800, isFaultOfOne: () => true }, (inputs) =>
        inputs.includes(2) ? fault : undefined,
      );
      const answers = Promise.allSettled([1, 2, 3].map((n) => coalescer.call(n)));
      await nextTurn();
      await stage.end();
      await stage.end();
      now += 801;
      await stage.endAll();
      expect(await answers).toMatchObject([
        { status: 'fulfilled', value: 2 },
        { status: 'rejected', reason: fault },
        TOO_LATE,
      ]);
      expect(stage.begun).toEqual([[1, 2, 3], [1], [2]]);
    });
  });

  it('answers every call once, within its limits, whatever comes when', async () => {
    const plan = fc.record({
      /** Each multiple of it is refused. */
      refused: fc.integer({ min: 2, max: 9 }),
      lanes: fc.integer({ min: 1, max: 3 }),
      size: fc.integer({ min: 1, max: 4 }),
      bursts: fc.array(fc.record({ calls: fc.nat(6), ends: fc.nat(3) }), { maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ refused, lanes, size, bursts }) => {
        let busy = 0;
        let most = 0;
        const endings: (() => void)[] = [];
        const seen: number[] = [];
        const kept: number[] = [];
        const fault = new Error('no value');
        const isRefused = (input: number) => input % refused === 0;
        const coalescer = new Coalescer<number, number>(
          async (inputs) => {
            expect(inputs.length).toBeLessThanOrEqual(size);
            seen.push(...inputs);
            most = Math.max(most, ++busy);
            await new Promise<void>((resolve) => endings.push(resolve));
            busy--;
            if (inputs.some(isRefused)) throw fault;
            kept.push(...inputs);
            return inputs.map((input) => 2 * input);
          },
          { ...LIMITS, lanes, size, isFaultOfOne: (error) => error === fault },
        );
        const answers: Promise<number | Error>[] = [];
        const end = async () => {
          endings.shift()?.();
          await nextTurn();
        };
        for (const { calls, ends } of bursts) {
          for (let i = 0; i < calls; i++)
            answers.push(coalescer.call(answers.length).catch((error: Error) => error));
          await nextTurn();
          for (let i = 0; i < ends; i++) await end();
        }
        while (endings.length > 0) await end();
        expect(await Promise.all(answers)).toEqual(answers.map((_, n) => (isRefused(n) ? fault : 2 * n)));
        const all = answers.map((_, n) => n);
        // Begun in their order, done once.
        expect([...new Set(seen)]).toEqual(all);
        expect(kept.sort((a, b) => a - b)).toEqual(all.filter((n) => !isRefused(n)));
        expect(most).toBeLessThanOrEqual(lanes);
      }),
    );
  });
});
