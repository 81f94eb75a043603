import fc from 'fast-check';
import { EndpointSlots, SLOTS, type Slot } from './endpoint-slots.js';

const SECOND = 1_000;
const HOUR = 3_600_000;

let jobCount = 0;
const newJob = () => `job-${++jobCount}`;

/** So many new jobs at the same moment. */
const acquireAll = (slots: EndpointSlots, id: string, count: number, now: number) =>
  Array.from({ length: count }, () => slots.acquire(id, newJob(), now));
const isSlot = (acquired: Slot | number): acquired is Slot => typeof acquired !== 'number';

/** One attempt of so many ms that ends at `now`. */
function attempt(slots: EndpointSlots, id: string, ms: number, now: number): void {
  (slots.acquire(id, newJob(), now - ms) as Slot).release(ms);
}

describe('the slots of an endpoint', () => {
  it('are four, and every endpoint has its own', () => {
    const slots = new EndpointSlots();
    expect(acquireAll(slots, 'a', 6, 0).map(isSlot)).toEqual([true, true, true, true, false, false]);
    expect(acquireAll(slots, 'b', 5, 0).map(isSlot)).toEqual([true, true, true, true, false]);
  });

  it('are free again when an attempt ends', () => {
    const slots = new EndpointSlots();
    const [first] = acquireAll(slots, 'a', 4, 0) as Slot[];
    first!.release(50);
    expect(acquireAll(slots, 'a', 2, 50).map(isSlot)).toEqual([true, false]);
  });

  it('are released once, however often release is called', () => {
    const slots = new EndpointSlots();
    const [first] = acquireAll(slots, 'a', 4, 0) as Slot[];
    for (let n = 0; n < 3; n += 1) first!.release(50);
    expect(acquireAll(slots, 'a', 2, 50).map(isSlot)).toEqual([true, false]);
  });

  it('are reduced to one while the last attempt took longer than five seconds', () => {
    const slots = new EndpointSlots();
    attempt(slots, 'a', 5 * SECOND, 10_000);
    const running = acquireAll(slots, 'a', 4, 10_000) as Slot[];
    expect(running.every(isSlot)).toBe(true);
    running[0]!.release(5 * SECOND + 1);
    expect(isSlot(slots.acquire('a', newJob(), 15_001))).toBe(false);
    running[1]!.release(6 * SECOND);
    running[2]!.release(6 * SECOND);
    expect(isSlot(slots.acquire('a', newJob(), 16_000))).toBe(false);
    running[3]!.release(6 * SECOND);
    const [only, other] = acquireAll(slots, 'a', 2, 16_000);
    expect([isSlot(only!), isSlot(other!)]).toEqual([true, false]);
    (only as Slot).release(80);
    expect(acquireAll(slots, 'a', 5, 16_080).map(isSlot)).toEqual([true, true, true, true, false]);
  });
});

describe('releasing a slot', () => {
  it('without an attempt leaves the estimate as it was', () => {
    const slots = new EndpointSlots();
    attempt(slots, 'a', 6 * SECOND, 10 * SECOND);
    (slots.acquire('a', newJob(), 10 * SECOND) as Slot).release();
    expect(acquireAll(slots, 'a', 2, 10 * SECOND).map(isSlot)).toEqual([true, false]);
  });

  /** Four attempts of an endpoint so slow that no waiting job is due soon. */
  const busy = (slots: EndpointSlots, now: number) => {
    for (let n = 0; n < 20; n += 1) attempt(slots, 'a', 4 * SECOND, now);
    return acquireAll(slots, 'a', 4, now) as Slot[];
  };

  it('wakes up the job that has waited longest, one per free slot, each once', () => {
    const slots = new EndpointSlots();
    const running = busy(slots, 100 * SECOND);
    for (const jobId of ['x', 'y', 'z', 'x']) slots.acquire('a', jobId, 100 * SECOND);
    expect(running[0]!.release(50)).toEqual(['y']);
    expect(running[0]!.release(50)).toEqual([]);
    expect(running[1]!.release(50)).toEqual(['z']);
    const z = slots.acquire('a', 'z', 100.06 * SECOND) as Slot;
    expect(z.release()).toEqual(['x']);
    expect(running[2]!.release(70)).toEqual([]);
  });

  it('wakes up another job for one that did not come within a second, and as many as there are slots', () => {
    const slots = new EndpointSlots();
    attempt(slots, 'a', 30 * SECOND, 100 * SECOND);
    const only = slots.acquire('a', newJob(), 100 * SECOND) as Slot;
    for (const jobId of ['v', 'w', 'x', 'y', 'z']) slots.acquire('a', jobId, 100 * SECOND);
    expect(only.release(80)).toEqual(['v', 'w', 'x', 'y']);
    const v = slots.acquire('a', 'v', 100.1 * SECOND) as Slot;
    expect(v.release(20)).toEqual(['z']);
    const late = slots.acquire('a', newJob(), 103 * SECOND) as Slot;
    expect(late.release(20)).toEqual([]);
  });

  it('does not wake up a job that is due soon', () => {
    const slots = new EndpointSlots();
    for (let n = 1; n <= 40; n += 1) attempt(slots, 'a', 40, n * SECOND);
    const running = acquireAll(slots, 'a', 6, 50 * SECOND);
    expect(Math.max(...(running.slice(4) as number[]))).toBeLessThan(500);
    expect((running[0] as Slot).release(10)).toEqual([]);
  });

  it('does not wake up jobs of another endpoint', () => {
    const slots = new EndpointSlots();
    const [first] = busy(slots, 100 * SECOND);
    slots.acquire('a', newJob(), 100 * SECOND);
    const [other] = acquireAll(slots, 'b', 1, 100 * SECOND) as Slot[];
    expect(other!.release(10)).toEqual([]);
    expect(first!.release(10)).toHaveLength(1);
  });
});

describe('a job without a slot', () => {
  it('waits at least 100 ms, each job for another time', () => {
    const slots = new EndpointSlots();
    for (let n = 1; n <= 40; n += 1) attempt(slots, 'a', 40, n * SECOND);
    const now = 50 * SECOND;
    acquireAll(slots, 'a', SLOTS, now);
    const waits = acquireAll(slots, 'a', 100, now) as number[];
    expect(waits[0]).toBe(100);
    // Four slots of about 40 ms each: one every 10 ms.
    waits.forEach((wait, n) => expect(wait).toBeCloseTo(100 + 10 * n, 0));
  });

  it('of a slow endpoint waits for the expected end of its only attempt', () => {
    const slots = new EndpointSlots();
    for (let n = 1; n <= 40; n += 1) attempt(slots, 'a', 15 * SECOND, n * 20 * SECOND);
    const now = 1_000 * SECOND;
    slots.acquire('a', newJob(), now);
    const waits = acquireAll(slots, 'a', 3, now + 5 * SECOND) as number[];
    expect(waits.map((wait) => Math.round(wait / SECOND))).toEqual([10, 25, 40]);
  });

  it('waits longer the longer the running attempts exceed their estimate', () => {
    const slots = new EndpointSlots();
    acquireAll(slots, 'a', SLOTS, 0);
    const waits = [1, 4, 14].map((seconds) => slots.acquire('a', newJob(), seconds * SECOND) as number);
    expect(waits).toEqual([1 * SECOND, 4 * SECOND, 14 * SECOND]);
  });

  it('waits at most 60 s, and a thousand jobs come back spread over time', () => {
    const slots = new EndpointSlots();
    attempt(slots, 'a', 15 * SECOND, 15 * SECOND);
    slots.acquire('a', newJob(), 20 * SECOND);
    const waits = acquireAll(slots, 'a', 1_000, 20 * SECOND) as number[];
    expect(Math.max(...waits)).toBeLessThanOrEqual(60 * SECOND);
    const perSecond = new Map<number, number>();
    for (const wait of waits)
      perSecond.set(Math.floor(wait / SECOND), (perSecond.get(Math.floor(wait / SECOND)) ?? 0) + 1);
    expect(Math.max(...perSecond.values())).toBeLessThan(50);
  });

  it('waits less as soon as the endpoint is fast again', () => {
    const slots = new EndpointSlots();
    attempt(slots, 'a', 15 * SECOND, 15 * SECOND);
    const only = slots.acquire('a', newJob(), 20 * SECOND) as Slot;
    acquireAll(slots, 'a', 100, 20 * SECOND);
    only.release(50);
    let now = 20 * SECOND + 50;
    for (let n = 0; n < 20; n += 1) attempt(slots, 'a', 50, (now += 50));
    acquireAll(slots, 'a', SLOTS, now);
    expect(slots.acquire('a', newJob(), now)).toBeLessThan(2 * SECOND);
  });
});

/** Jobs of one endpoint: each comes back after its wait, until it has made its attempt. */
function simulate(jobs: number, tookMs: (at: number) => number, untilMs: number) {
  const slots = new EndpointSlots();
  const agenda: { at: number; act: (now: number) => void }[] = [];
  const asks: number[] = [];
  const ends: number[] = [];
  const ask = (now: number) => {
    asks.push(now);
    const acquired = slots.acquire('a', newJob(), now);
    if (!isSlot(acquired)) return void agenda.push({ at: now + acquired, act: ask });
    const ms = tookMs(now);
    agenda.push({
      at: now + ms,
      act: (end) => {
        acquired.release(ms);
        ends.push(end);
      },
    });
  };
  for (let n = 0; n < jobs; n += 1) agenda.push({ at: n, act: ask });
  while (agenda.length > 0) {
    const next = agenda.reduce((first, one) => (one.at < first.at ? one : first));
    if (next.at > untilMs) break;
    agenda.splice(agenda.indexOf(next), 1);
    next.act(next.at);
  }
  return { asks, ends };
}

describe('a thousand jobs of one endpoint', () => {
  it('that hangs come back seldom and keep its one slot in use', () => {
    const { asks, ends } = simulate(1_000, () => 15 * SECOND, 300 * SECOND);
    // Far from a thousand a second.
    expect(asks.filter((at) => at > SECOND).length / 300).toBeLessThan(40);
    expect(ends.length).toBeGreaterThanOrEqual(20);
  });

  it.each([
    ['50 ms', () => 50, 60],
    ['2 s', () => 2 * SECOND, 600],
    ['15 s for a minute, then 50 ms', (at: number) => (at < 60 * SECOND ? 15 * SECOND : 50), 180],
  ])('whose attempts take %s are all done in time', (_what, tookMs, seconds) => {
    expect(simulate(1_000, tookMs, seconds * SECOND).ends).toHaveLength(1_000);
  });
});

it('never exceeds four attempts, never refuses a free slot, and keeps every wait within its limits', () => {
  const anyId = fc.constantFrom('a', 'b', 'c');
  const anyStep = fc.oneof(
    anyId.map((enters) => ({ enters })),
    fc.record({ leaves: fc.nat(7), twice: fc.boolean() }),
    fc.oneof(fc.nat(300), fc.nat(20 * SECOND)).map((passes) => ({ passes })),
  );
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 120 }), (steps) => {
      const slots = new EndpointSlots();
      const running: { id: string; since: number; slot: Slot }[] = [];
      const last = new Map<string, number>();
      let now = 0;
      for (const step of steps) {
        if ('passes' in step) now += step.passes;
        else if ('leaves' in step) {
          const [left] = running.splice(step.leaves, 1);
          if (!left) continue;
          left.slot.release(now - left.since);
          if (step.twice) left.slot.release(0);
          last.set(left.id, now - left.since);
        } else {
          const id = step.enters;
          const before = running.filter((one) => one.id === id).length;
          const bound = (last.get(id) ?? 0) > 5 * SECOND ? 1 : SLOTS;
          const acquired = slots.acquire(id, newJob(), now);
          expect(isSlot(acquired)).toBe(before < bound);
          if (isSlot(acquired)) running.push({ id, since: now, slot: acquired });
          else {
            expect(acquired).toBeGreaterThanOrEqual(100);
            expect(acquired).toBeLessThanOrEqual(60 * SECOND);
          }
        }
      }
    }),
    { numRuns: 300 },
  );
});

describe('an endpoint in memory', () => {
  it('is evicted after ten minutes without use', () => {
    const slots = new EndpointSlots();
    attempt(slots, 'a', 15 * SECOND, 15 * SECOND);
    attempt(slots, 'b', 50, 14 * SECOND + 600_000);
    expect(slots.size).toBe(2);
    attempt(slots, 'c', 50, 16 * SECOND + 600_000);
    expect(slots.size).toBe(2);
  });

  it('is kept while an attempt is running', () => {
    const slots = new EndpointSlots();
    const [first] = acquireAll(slots, 'a', 4, 0) as Slot[];
    attempt(slots, 'b', 50, HOUR);
    expect(isSlot(slots.acquire('a', newJob(), HOUR))).toBe(false);
    first!.release(HOUR);
    attempt(slots, 'b', 50, 3 * HOUR);
    expect(slots.size).toBe(2);
  });

  it('is one of at most ten thousand', () => {
    const slots = new EndpointSlots();
    for (let n = 0; n < 30_000; n += 1) attempt(slots, `e${n}`, 1, n);
    expect(slots.size).toBeLessThanOrEqual(10_001);
  });
});
