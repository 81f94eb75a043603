import fc from 'fast-check';
import { Slots } from './slots.js';

const LONG_MS = 60_000;

/** The current state of a promise. */
async function stateOf(slot: Promise<(() => void) | undefined>): Promise<'in' | 'waiting' | 'left'> {
  // A settled promise wins the race.
  const release = await Promise.race([slot, Promise.resolve('waiting' as const)]);
  return release === 'waiting' ? release : release ? 'in' : 'left';
}

const statesOf = (slots: Promise<(() => void) | undefined>[]) => Promise.all(slots.map(stateOf));

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('slots', () => {
  it('limits each owner without blocking others', async () => {
    const slots = new Slots({ total: 9, perOwner: 2 });
    const taken = ['a', 'a', 'a', 'b'].map((owner) => slots.take(owner, LONG_MS));
    expect(await statesOf(taken)).toEqual(['in', 'in', 'waiting', 'in']);
    (await taken[0])!();
    expect(await statesOf(taken)).toEqual(['in', 'in', 'in', 'in']);
  });

  it('limits the total over all owners, first come, first served', async () => {
    const slots = new Slots({ total: 2, perOwner: 2 });
    const taken = ['a', 'b', 'c', 'd'].map((owner) => slots.take(owner, LONG_MS));
    expect(await statesOf(taken)).toEqual(['in', 'in', 'waiting', 'waiting']);
    (await taken[1])!();
    expect(await statesOf(taken)).toEqual(['in', 'in', 'in', 'waiting']);
    (await taken[0])!();
    expect(await statesOf(taken)).toEqual(['in', 'in', 'in', 'in']);
  });

  it('skips waiters whose owner has reached its limit', async () => {
    const slots = new Slots({ total: 2, perOwner: 1 });
    const taken = ['a', 'b', 'a', 'c'].map((owner) => slots.take(owner, LONG_MS));
    (await taken[1])!();
    expect(await statesOf(taken)).toEqual(['in', 'in', 'waiting', 'in']);
  });

  it('ends a wait at its limit, and gives the slot to the next waiter', async () => {
    const slots = new Slots({ total: 1, perOwner: 1 });
    const taken = [slots.take('a', LONG_MS), slots.take('a', 1_000), slots.take('a', 2_000)];
    jest.advanceTimersByTime(1_000);
    expect(await statesOf(taken)).toEqual(['in', 'left', 'waiting']);
    (await taken[0])!();
    expect(await statesOf(taken)).toEqual(['in', 'left', 'in']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('never exceeds a limit, and lets nobody wait while a slot is free', async () => {
    const anyOwner = fc.constantFrom('a', 'b', 'c');
    const anyStep = fc.oneof(
      anyOwner.map((owner) => ({ take: owner })),
      fc.nat(5).map((index) => ({ release: index })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
        const slots = new Slots({ total: 3, perOwner: 2 });
        const inside: { owner: string; release: () => void }[] = [];
        const waiting: string[] = [];
        for (const step of steps) {
          if ('take' in step) {
            waiting.push(step.take);
            void slots.take(step.take, LONG_MS).then((release) => {
              waiting.splice(waiting.indexOf(step.take), 1);
              inside.push({ owner: step.take, release: release! });
            });
          } else inside.splice(step.release, 1)[0]?.release();
          await Promise.resolve();
          const ofOwner = (owner: string) => inside.filter((one) => one.owner === owner).length;
          expect(inside.length).toBeLessThanOrEqual(3);
          expect(Math.max(...['a', 'b', 'c'].map(ofOwner))).toBeLessThanOrEqual(2);
          if (inside.length < 3) expect(waiting.filter((owner) => ofOwner(owner) < 2)).toEqual([]);
        }
      }),
    );
  });
});
