import fc from 'fast-check';
import { Slots, type SlotOwner } from './slots.js';

const LIMITS = { endpoint: 2, merchant: 3, turnMs: 50 };

describe('slots', () => {
  const owner = (endpoint: string, merchant = 'm'): SlotOwner => ({ endpoint, merchant });

  it('are limited for each endpoint and for each merchant, and free again once released', () => {
    const slots = new Slots(LIMITS);
    const isTaken = (one: SlotOwner) => slots.take(one, 0) === 0;
    expect([isTaken(owner('a')), isTaken(owner('a')), isTaken(owner('a'))]).toEqual([true, true, false]);
    expect([isTaken(owner('b')), isTaken(owner('b')), isTaken(owner('c'))]).toEqual([true, false, false]);
    expect(isTaken(owner('d', 'another'))).toBe(true);
    slots.release(owner('a'), 10);
    expect([isTaken(owner('b')), isTaken(owner('a'))]).toEqual([true, false]);
  });

  it('that are all taken are asked for again one job after another, after 1 s to 5 min', () => {
    const slots = new Slots(LIMITS);
    for (let n = 0; n < 2; n++) slots.take(owner('a'), 0);
    expect([slots.take(owner('a'), 0), slots.take(owner('a'), 0), slots.take(owner('a'), 30)]).toEqual([
      1_000, 1_050, 1_070,
    ]);
    const waits = Array.from({ length: 10_000 }, () => slots.take(owner('a'), 40));
    expect(Math.max(...waits)).toBe(300_000);
    // The line has moved on.
    expect(slots.take(owner('a'), 400_000)).toBe(1_000);
  });

  it('of an endpoint that answers quickly are asked for as often as they become free', () => {
    const slots = new Slots(LIMITS);
    const waitsAfter = (...attempts: (number | undefined)[]) => {
      const one = owner(`after ${attempts.join()}`, `of ${attempts.join()}`);
      slots.take(one, 0);
      for (const ms of attempts) {
        slots.take(one, 0);
        slots.release(one, ms);
      }
      slots.take(one, 0);
      return [slots.take(one, 0), slots.take(one, 0)];
    };
    expect(waitsAfter(40)).toEqual([400, 420]);
    expect(waitsAfter(0.1)).toEqual([20, 21]);
    expect(waitsAfter(15_000)).toEqual([1_000, 1_050]);
    // One slow attempt says little, many do.
    expect(waitsAfter(20, 15_000)).toEqual([400, 420]);
    // A failure, say a refused connection, says nothing.
    expect(waitsAfter(1, undefined)).toEqual([1_000, 1_050]);
    expect(waitsAfter(40, ...Array.from({ length: 10 }, () => 15_000))).toEqual([1_000, 1_050]);
  });

  it('are never more than their limits, in whatever order they are taken and released', () => {
    const owners = fc.record({ endpoint: fc.constantFrom('a', 'b', 'c'), merchant: fc.constant('m') });
    const steps = fc.array(fc.oneof(owners, fc.nat()), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (all) => {
        const slots = new Slots(LIMITS);
        const held: SlotOwner[] = [];
        for (const step of all) {
          if (typeof step !== 'number') {
            const isFree =
              held.length < LIMITS.merchant &&
              held.filter(({ endpoint }) => endpoint === step.endpoint).length < LIMITS.endpoint;
            expect(slots.take(step, 0) === 0).toBe(isFree);
            if (isFree) held.push(step);
          } else if (held.length > 0) slots.release(held.splice(step % held.length, 1)[0]!, step);
        }
      }),
    );
  });
});
