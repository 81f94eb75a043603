import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { AttemptSlots, type SlotOwner } from './attempt-slots.js';

const LIMITS = { endpoint: 2, merchant: 3, turnMs: 50, line: 2, lines: 3 };

describe('slots', () => {
  const owner = (endpoint: string, merchant = 'm'): SlotOwner => ({ endpoint, merchant });

  it('are limited for each endpoint and for each merchant, and free again once released', () => {
    const slots = new AttemptSlots(LIMITS);
    const isTaken = (one: SlotOwner) => slots.take(one, 0) === 0;
    expect([isTaken(owner('a')), isTaken(owner('a')), isTaken(owner('a'))]).toEqual([true, true, false]);
    expect([isTaken(owner('b')), isTaken(owner('b')), isTaken(owner('c'))]).toEqual([true, false, false]);
    expect(isTaken(owner('d', 'another'))).toBe(true);
    slots.release(owner('a'), 10);
    expect([isTaken(owner('b')), isTaken(owner('a'))]).toEqual([true, false]);
  });

  it('that are all taken are asked for again one job after another, within 5 min', () => {
    const slots = new AttemptSlots(LIMITS);
    for (let n = 0; n < 2; n++) slots.take(owner('a'), 0);
    expect([slots.take(owner('a'), 0), slots.take(owner('a'), 0)]).toEqual([20, 21]);
    const waits = Array.from({ length: 10_000 }, () => slots.take(owner('a'), 200));
    expect(Math.max(...waits)).toBe(300_000);
    // The line has moved on.
    expect(slots.take(owner('a'), 400_000)).toBe(1_000);
  });

  it.each([
    ['20 ms and more when none has ended yet', [], 0, [20, 21]],
    ['as often as they become free', [40], 0, [400, 420]],
    ['every millisecond at most', [0.1], 0, [20, 21]],
    ['every 50 ms at least', [15_000], 0, [1_000, 1_050]],
    ['half as often after one slow attempt', [20, 15_000], 0, [400, 420]],
    [
      'ever less often after more of them',
      [40, ...Array.from({ length: 10 }, () => 15_000)],
      0,
      [1_000, 1_050],
    ],
    // A refused connection says nothing of how long an answer takes.
    ['every 50 ms after a failure', [1, undefined], 0, [1_000, 1_050]],
    ['less often while no attempt ends', [1], 40, [400, 420]],
    ['every 50 ms while none has ended for long', [1], 3_000, [1_000, 1_050]],
  ])('of an endpoint are asked for %s', (_, attempts, laterMs, waits) => {
    const slots = new AttemptSlots(LIMITS);
    const one = owner('a');
    slots.take(one, 0);
    for (const ms of attempts) {
      slots.take(one, 0);
      slots.release(one, ms, 0);
    }
    slots.take(one, 0);
    expect([slots.take(one, laterMs), slots.take(one, laterMs)]).toEqual(waits);
  });

  describe('of an endpoint that answers quickly', () => {
    /** Slots that are all taken, by endpoints that last answered after so many ms. */
    const taken = (ms: number | undefined, ...owners: SlotOwner[]) => {
      const slots = new AttemptSlots(LIMITS);
      for (const one of owners) {
        slots.take(one);
        slots.release(one, ms);
      }
      for (const one of owners) for (let n = 0; n < LIMITS.endpoint; n++) slots.take(one);
      return slots;
    };

    it('go to the first that stands in line and may have one', async () => {
      const slots = taken(10, owner('a'));
      slots.take(owner('b'));
      const order: string[] = [];
      const waiting = ['first', 'second'].map(async (name) => {
        expect(await slots.takeSoon(owner('a'))).toBe(0);
        order.push(name);
      });
      // Of the merchant's three slots one is free again, but the endpoint's two are taken.
      slots.release(owner('b'), 10);
      await setImmediate();
      expect(order).toEqual([]);
      slots.release(owner('a'), 10);
      await waiting[0];
      expect(order).toEqual(['first']);
      slots.release(owner('a'), 10);
      await waiting[1];
      expect(order).toEqual(['first', 'second']);
    });

    it('are waited for by few of a merchant, and by few in all', async () => {
      const merchants = ['m', 'n'].map((merchant) => owner(`of ${merchant}`, merchant));
      const slots = taken(10, ...merchants);
      const waits = merchants.flatMap((one) => [1, 2, 3].map(async () => (await slots.takeSoon(one)) === 0));
      for (let n = 0; n < 3; n++) for (const one of merchants) slots.release(one, 10);
      expect(await Promise.all(waits)).toEqual([true, true, false, true, false, false]);
    });

    it('are waited for no longer than a moment', async () => {
      expect(await taken(10, owner('a')).takeSoon(owner('a'))).toBeGreaterThan(0);
    });
  });

  it.each([
    ['takes long to answer', 100, 0],
    ['failed', undefined, 0],
    ['no longer answers', 10, 100],
  ])('are not waited for where an endpoint %s', async (_, ms, laterMs) => {
    const slots = new AttemptSlots(LIMITS);
    const one = owner('a');
    slots.take(one, 0);
    slots.release(one, ms, 0);
    for (let n = 0; n < LIMITS.endpoint; n++) slots.take(one, 0);
    const isTaken = slots.takeSoon(one, laterMs).then((wait) => wait === 0);
    slots.release(one, 10, laterMs);
    expect(await isTaken).toBe(false);
  });

  it('are never more than their limits, in whatever order they are taken, waited for and released', async () => {
    const owners = fc.record({ endpoint: fc.constantFrom('a', 'b', 'c'), merchant: fc.constant('m') });
    const steps = fc.array(fc.oneof(owners, fc.nat()), { maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const slots = new AttemptSlots(LIMITS);
        const held: SlotOwner[] = [];
        const waits: Promise<unknown>[] = [];
        const free = async (n: number) => {
          slots.release(held.splice(n % held.length, 1)[0]!, n % 50);
          await setImmediate();
        };
        for (const step of all) {
          if (typeof step === 'number') {
            if (held.length > 0) await free(step);
          } else {
            const isFree =
              held.length < LIMITS.merchant &&
              held.filter(({ endpoint }) => endpoint === step.endpoint).length < LIMITS.endpoint;
            const before = held.length;
            waits.push(slots.takeSoon(step).then((wait) => wait === 0 && held.push(step)));
            await setImmediate();
            expect(held.length - before).toBe(isFree ? 1 : 0);
          }
          expect(held.length).toBeLessThanOrEqual(LIMITS.merchant);
          for (const endpoint of ['a', 'b', 'c']) {
            const own = held.filter((one) => one.endpoint === endpoint);
            expect(own.length).toBeLessThanOrEqual(LIMITS.endpoint);
          }
        }
        while (held.length > 0) await free(0);
        await Promise.all(waits);
        // All slots are free again.
        for (let n = 0; n < LIMITS.merchant; n++) expect(slots.take(owner(`last ${n}`))).toBe(0);
      }),
    );
  });
});
