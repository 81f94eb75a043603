import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { Coalescer, type CoalescerOptions } from './coalescer.js';

const OPTIONS: CoalescerOptions = { concurrency: 2, maxBatch: 3 };

/** Later than any test takes. */
const NEVER = Infinity;

/** ms after which a batch is slow. */
const PATIENCE = 50;

// Time passes only where a test says so.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance'] }));
afterEach(() => jest.useRealTimers());

/** Batches that end when the test says so; the output of an input is its double. */
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

  /** Ends the oldest batch in flight. */
  async end(): Promise<void> {
    this.endings.shift()!();
    await nextTurn();
  }

  async endAll(): Promise<void> {
    while (this.endings.length > 0) await this.end();
  }
}

function open(over: Partial<CoalescerOptions> = {}, fault?: (inputs: number[]) => Error | undefined) {
  const stage = new Stage(fault);
  return { stage, coalescer: new Coalescer(stage.run, { ...OPTIONS, ...over }) };
}

describe('Coalescer', () => {
  it('runs a single call at the end of its tick', async () => {
    const { stage, coalescer } = open();
    const answer = coalescer.call(1, NEVER);
    await nextTurn();
    expect(stage.begun).toEqual([[1]]);
    await stage.end();
    expect(await answer).toBe(2);
  });

  it('runs the calls of one tick as one batch, and resolves each with its own output', async () => {
    const { stage, coalescer } = open();
    const answers = Promise.all([1, 2, 3].map((n) => coalescer.call(n, NEVER)));
    await nextTurn();
    expect(stage.begun).toEqual([[1, 2, 3]]);
    await stage.end();
    expect(await answers).toEqual([2, 4, 6]);
  });

  it('runs calls that arrive while a batch is in flight in the next batches', async () => {
    const { stage, coalescer } = open();
    const answers = Promise.all([1, 2, 3, 4, 5].map((n) => coalescer.call(n, NEVER)));
    await nextTurn();
    const later = coalescer.call(6, NEVER);
    jest.advanceTimersByTime(PATIENCE - 1);
    await nextTurn();
    expect(stage.begun).toEqual([[1, 2, 3]]);
    await stage.end();
    expect(stage.begun).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    await stage.endAll();
    expect(await answers).toEqual([2, 4, 6, 8, 10]);
    expect(await later).toBe(12);
  });

  it('starts the next batch before it resolves the calls of the last one', async () => {
    const { stage, coalescer } = open();
    const begun = coalescer.call(1, NEVER).then(() => stage.begun.length);
    await nextTurn();
    const next = coalescer.call(2, NEVER);
    await stage.endAll();
    expect(await begun).toBe(2);
    await stage.endAll();
    await next;
  });

  it('starts the next batch in parallel to a slow one, up to the concurrency limit', async () => {
    const { stage, coalescer } = open();
    const answers = Promise.all([1, 2, 3, 4, 5, 6, 7].map((n) => coalescer.call(n, NEVER)));
    await nextTurn();
    jest.advanceTimersByTime(PATIENCE);
    expect(stage.begun).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    jest.advanceTimersByTime(PATIENCE);
    expect(stage.begun).toHaveLength(2);
    await stage.end();
    expect(stage.begun[2]).toEqual([7]);
    await stage.endAll();
    expect(await answers).toEqual([2, 4, 6, 8, 10, 12, 14]);
  });

  it('starts a call at once if all batches in flight are slow', async () => {
    const { stage, coalescer } = open();
    const first = coalescer.call(1, NEVER);
    await nextTurn();
    jest.advanceTimersByTime(PATIENCE);
    const second = coalescer.call(2, NEVER);
    await nextTurn();
    expect(stage.begun).toEqual([[1], [2]]);
    await stage.endAll();
    expect(await Promise.all([first, second])).toEqual([2, 4]);
  });

  it('runs one batch at a time again once a slow one has ended', async () => {
    const { stage, coalescer } = open();
    const answers = [coalescer.call(1, NEVER)];
    await nextTurn();
    jest.advanceTimersByTime(PATIENCE);
    answers.push(coalescer.call(2, NEVER));
    await nextTurn();
    await stage.end();
    answers.push(coalescer.call(3, NEVER));
    await nextTurn();
    expect(stage.begun).toEqual([[1], [2]]);
    await stage.endAll();
    expect(await Promise.all(answers)).toEqual([2, 4, 6]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('rejects every call of a batch that failed, and runs the next', async () => {
    const { stage, coalescer } = open({ concurrency: 1 }, (inputs) =>
      inputs.includes(1) ? new Error('the database is away') : undefined,
    );
    const answers = Promise.allSettled([1, 2, 3, 4].map((n) => coalescer.call(n, NEVER)));
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

  it('retries the halves of a batch if one call caused its error, so that the others succeed', async () => {
    const fault = new Error('2 is no value');
    const { stage, coalescer } = open({ isFaultOfOneCall: (error) => error === fault }, (inputs) =>
      inputs.includes(2) ? fault : undefined,
    );
    const answers = Promise.allSettled([1, 2, 3].map((n) => coalescer.call(n, NEVER)));
    await nextTurn();
    await stage.endAll();
    expect(await answers).toEqual([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: fault },
      { status: 'fulfilled', value: 6 },
    ]);
    expect(stage.begun).toEqual([[1, 2, 3], [1], [2, 3], [2], [3]]);
  });

  describe('with deadlines', () => {
    const UNAVAILABLE = { status: 'rejected', reason: { codigo: 'no_disponible' } };
    let now: number;
    beforeEach(() => {
      now = 1_000;
      jest.spyOn(performance, 'now').mockImplementation(() => now);
    });
    afterEach(() => jest.restoreAllMocks());

    it('rejects a call whose deadline passed while it waited, and does not run it', async () => {
      const { stage, coalescer } = open({ concurrency: 1 });
      const first = coalescer.call(1, NEVER);
      await nextTurn();
      const late = Promise.allSettled([coalescer.call(2, now + 800)]);
      const timely = coalescer.call(3, now + 801);
      now += 800;
      await stage.endAll();
      expect(await late).toMatchObject([UNAVAILABLE]);
      expect(await Promise.all([first, timely])).toEqual([2, 6]);
      expect(stage.begun).toEqual([[1], [3]]);
    });

    it('hands the earliest deadline of a batch to its run', async () => {
      const deadlines: number[] = [];
      const run = (inputs: number[], deadline: number) => {
        deadlines.push(deadline);
        return Promise.resolve(inputs);
      };
      const coalescer = new Coalescer(run, OPTIONS);
      await Promise.all([
        coalescer.call(1, now + 300),
        coalescer.call(2, now + 200),
        coalescer.call(3, NEVER),
      ]);
      expect(deadlines).toEqual([now + 200]);
    });

    it('checks deadlines again while the parts of a failed batch are run', async () => {
      const fault = new Error('2 is no value');
      const { stage, coalescer } = open({ isFaultOfOneCall: () => true }, (inputs) =>
        inputs.includes(2) ? fault : undefined,
      );
      const answers = Promise.allSettled([1, 2, 3].map((n) => coalescer.call(n, now + 800)));
      await nextTurn();
      await stage.end();
      await stage.end();
      now += 801;
      await stage.endAll();
      expect(await answers).toMatchObject([{ status: 'fulfilled', value: 2 }, UNAVAILABLE, UNAVAILABLE]);
      expect(stage.begun).toEqual([[1, 2, 3], [1], [2, 3]]);
    });

    it('retries a batch that failed on its earliest deadline, without the calls past their deadline', async () => {
      const late = new Error('too late');
      const { stage, coalescer } = open({ isPastDeadline: (error) => error === late }, (inputs) =>
        inputs.includes(1) ? late : undefined,
      );
      const answers = Promise.allSettled([coalescer.call(1, now + 100), coalescer.call(2, now + 800)]);
      await nextTurn();
      now += 100;
      await stage.endAll();
      expect(await answers).toMatchObject([UNAVAILABLE, { status: 'fulfilled', value: 4 }]);
      expect(stage.begun).toEqual([[1, 2], [2]]);
    });

    it('rejects the whole batch if it fails with a deadline error although no call has passed its deadline', async () => {
      const late = new Error('too late');
      const { stage, coalescer } = open({ isPastDeadline: () => true }, () => late);
      const answers = Promise.allSettled([1, 2].map((n) => coalescer.call(n, NEVER)));
      await nextTurn();
      await stage.endAll();
      expect(await answers).toEqual([1, 2].map(() => ({ status: 'rejected', reason: late })));
    });
  });

  it('settles every call once and within the limits, whatever the order of calls and ends', async () => {
    const plan = fc.record({
      /** Its multiples are refused. */
      refused: fc.integer({ min: 2, max: 9 }),
      concurrency: fc.integer({ min: 1, max: 3 }),
      maxBatch: fc.integer({ min: 1, max: 4 }),
      bursts: fc.array(fc.record({ calls: fc.nat(6), isSlow: fc.boolean(), ends: fc.nat(3) }), {
        maxLength: 12,
      }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ refused, concurrency, maxBatch, bursts }) => {
        let busy = 0;
        let most = 0;
        const endings: (() => void)[] = [];
        const seen: number[] = [];
        const kept: number[] = [];
        const fault = new Error('no value');
        const isRefused = (input: number) => input % refused === 0;
        const coalescer = new Coalescer<number, number>(
          async (inputs) => {
            expect(inputs.length).toBeLessThanOrEqual(maxBatch);
            seen.push(...inputs);
            most = Math.max(most, ++busy);
            await new Promise<void>((resolve) => endings.push(resolve));
            busy--;
            if (inputs.some(isRefused)) throw fault;
            kept.push(...inputs);
            return inputs.map((input) => 2 * input);
          },
          { ...OPTIONS, concurrency, maxBatch, isFaultOfOneCall: (error) => error === fault },
        );
        const answers: Promise<number | Error>[] = [];
        const end = async () => {
          endings.shift()?.();
          await nextTurn();
        };
        for (const { calls, isSlow, ends } of bursts) {
          for (let i = 0; i < calls; i++)
            answers.push(coalescer.call(answers.length, NEVER).catch((error: Error) => error));
          await nextTurn();
          if (isSlow) jest.advanceTimersByTime(PATIENCE);
          for (let i = 0; i < ends; i++) await end();
        }
        while (endings.length > 0) await end();
        expect(await Promise.all(answers)).toEqual(answers.map((_, n) => (isRefused(n) ? fault : 2 * n)));
        const all = answers.map((_, n) => n);
        // Started in their order, effective once.
        expect([...new Set(seen)]).toEqual(all);
        expect(kept.sort((a, b) => a - b)).toEqual(all.filter((n) => !isRefused(n)));
        expect(most).toBeLessThanOrEqual(bursts.some(({ isSlow }) => isSlow) ? concurrency : 1);
        // A batch that has ended does not become slow later: the next call starts at once.
        jest.advanceTimersByTime(PATIENCE);
        const next = coalescer.call(1, NEVER);
        await nextTurn();
        expect(endings.length).toBe(1);
        await end();
        expect(await next).toBe(2);
      }),
    );
  });
});
