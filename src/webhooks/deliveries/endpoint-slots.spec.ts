import fc from 'fast-check';
import { EndpointLanes, LANES, type Lane } from './endpoint-slots.js';

const SECOND = 1_000;
const HOUR = 3_600_000;

let callers = 0;
/** Nobody who was there before. */
const newCaller = () => `c-${++callers}`;

/** Enters so many times at the same moment. */
const enter = (lanes: EndpointLanes, id: string, count: number, now: number) =>
  Array.from({ length: count }, () => lanes.enter(id, newCaller(), now));
const isLane = (entered: Lane | number): entered is Lane => typeof entered !== 'number';

/** Has an endpoint take so long for one attempt that ends at `now`. */
function attempt(lanes: EndpointLanes, id: string, ms: number, now: number): void {
  (lanes.enter(id, newCaller(), now - ms) as Lane).leave(ms);
}

describe('the lanes of an endpoint', () => {
  it('are four, and others have their own', () => {
    const lanes = new EndpointLanes();
    expect(enter(lanes, 'a', 6, 0).map(isLane)).toEqual([true, true, true, true, false, false]);
    expect(enter(lanes, 'b', 5, 0).map(isLane)).toEqual([true, true, true, true, false]);
  });

  it('are free again once an attempt is over', () => {
    const lanes = new EndpointLanes();
    const [first] = enter(lanes, 'a', 4, 0) as Lane[];
    first!.leave(50);
    expect(enter(lanes, 'a', 2, 50).map(isLane)).toEqual([true, false]);
  });

  it('are given back once, however often one leaves', () => {
    const lanes = new EndpointLanes();
    const [first] = enter(lanes, 'a', 4, 0) as Lane[];
    for (let n = 0; n < 3; n += 1) first!.leave(50);
    expect(enter(lanes, 'a', 2, 50).map(isLane)).toEqual([true, false]);
  });

  it('are one while the last attempt took longer than five seconds', () => {
    const lanes = new EndpointLanes();
    attempt(lanes, 'a', 5 * SECOND, 10_000);
    const inside = enter(lanes, 'a', 4, 10_000) as Lane[];
    expect(inside.every(isLane)).toBe(true);
    inside[0]!.leave(5 * SECOND + 1);
    expect(isLane(lanes.enter('a', newCaller(), 15_001))).toBe(false);
    inside[1]!.leave(6 * SECOND);
    inside[2]!.leave(6 * SECOND);
    expect(isLane(lanes.enter('a', newCaller(), 16_000))).toBe(false);
    inside[3]!.leave(6 * SECOND);
    const [only, other] = enter(lanes, 'a', 2, 16_000);
    expect([isLane(only!), isLane(other!)]).toEqual([true, false]);
    (only as Lane).leave(80);
    expect(enter(lanes, 'a', 5, 16_080).map(isLane)).toEqual([true, true, true, true, false]);
  });
});

describe('who leaves', () => {
  it('says nothing of the endpoint where there was no attempt', () => {
    const lanes = new EndpointLanes();
    attempt(lanes, 'a', 6 * SECOND, 10 * SECOND);
    (lanes.enter('a', newCaller(), 10 * SECOND) as Lane).leave();
    expect(enter(lanes, 'a', 2, 10 * SECOND).map(isLane)).toEqual([true, false]);
  });

  /** Four inside, whose like take so long that nobody is told to come back soon. */
  const busy = (lanes: EndpointLanes, now: number) => {
    for (let n = 0; n < 20; n += 1) attempt(lanes, 'a', 4 * SECOND, now);
    return enter(lanes, 'a', 4, now) as Lane[];
  };

  it('calls in who has waited longest, one for each free lane, and each once', () => {
    const lanes = new EndpointLanes();
    const inside = busy(lanes, 100 * SECOND);
    for (const caller of ['x', 'y', 'z', 'x']) lanes.enter('a', caller, 100 * SECOND);
    expect(inside[0]!.leave(50)).toEqual(['y']);
    expect(inside[0]!.leave(50)).toEqual([]);
    expect(inside[1]!.leave(50)).toEqual(['z']);
    const z = lanes.enter('a', 'z', 100.06 * SECOND) as Lane;
    expect(z.leave()).toEqual(['x']);
    expect(inside[2]!.leave(70)).toEqual([]);
  });

  it('calls in another for one that did not come within a second, and as many as there are lanes again', () => {
    const lanes = new EndpointLanes();
    attempt(lanes, 'a', 30 * SECOND, 100 * SECOND);
    const only = lanes.enter('a', newCaller(), 100 * SECOND) as Lane;
    for (const caller of ['v', 'w', 'x', 'y', 'z']) lanes.enter('a', caller, 100 * SECOND);
    expect(only.leave(80)).toEqual(['v', 'w', 'x', 'y']);
    const v = lanes.enter('a', 'v', 100.1 * SECOND) as Lane;
    expect(v.leave(20)).toEqual(['z']);
    const late = lanes.enter('a', newCaller(), 103 * SECOND) as Lane;
    expect(late.leave(20)).toEqual([]);
  });

  it('calls in nobody who is about to come back anyway', () => {
    const lanes = new EndpointLanes();
    for (let n = 1; n <= 40; n += 1) attempt(lanes, 'a', 40, n * SECOND);
    const inside = enter(lanes, 'a', 6, 50 * SECOND);
    expect(Math.max(...(inside.slice(4) as number[]))).toBeLessThan(500);
    expect((inside[0] as Lane).leave(10)).toEqual([]);
  });

  it('calls in nobody to another endpoint', () => {
    const lanes = new EndpointLanes();
    const [first] = busy(lanes, 100 * SECOND);
    lanes.enter('a', newCaller(), 100 * SECOND);
    const [other] = enter(lanes, 'b', 1, 100 * SECOND) as Lane[];
    expect(other!.leave(10)).toEqual([]);
    expect(first!.leave(10)).toHaveLength(1);
  });
});

describe('who finds no lane', () => {
  it('is told 100 ms at least, and each a time of its own', () => {
    const lanes = new EndpointLanes();
    for (let n = 1; n <= 40; n += 1) attempt(lanes, 'a', 40, n * SECOND);
    const now = 50 * SECOND;
    enter(lanes, 'a', LANES, now);
    const waits = enter(lanes, 'a', 100, now) as number[];
    expect(waits[0]).toBe(100);
    // Four lanes of some 40 ms: one every 10 ms.
    waits.forEach((wait, n) => expect(wait).toBeCloseTo(100 + 10 * n, 0));
  });

  it('of a slow endpoint is told when its only attempt is thought to be over', () => {
    const lanes = new EndpointLanes();
    for (let n = 1; n <= 40; n += 1) attempt(lanes, 'a', 15 * SECOND, n * 20 * SECOND);
    const now = 1_000 * SECOND;
    lanes.enter('a', newCaller(), now);
    const waits = enter(lanes, 'a', 3, now + 5 * SECOND) as number[];
    expect(waits.map((wait) => Math.round(wait / SECOND))).toEqual([10, 25, 40]);
  });

  it('of one that takes longer than ever is told longer and longer', () => {
    const lanes = new EndpointLanes();
    enter(lanes, 'a', LANES, 0);
    const waits = [1, 4, 14].map((seconds) => lanes.enter('a', newCaller(), seconds * SECOND) as number);
    expect(waits).toEqual([1 * SECOND, 4 * SECOND, 14 * SECOND]);
  });

  it('is told 60 s at most, and a thousand come back one by one', () => {
    const lanes = new EndpointLanes();
    attempt(lanes, 'a', 15 * SECOND, 15 * SECOND);
    lanes.enter('a', newCaller(), 20 * SECOND);
    const waits = enter(lanes, 'a', 1_000, 20 * SECOND) as number[];
    expect(Math.max(...waits)).toBeLessThanOrEqual(60 * SECOND);
    const perSecond = new Map<number, number>();
    for (const wait of waits)
      perSecond.set(Math.floor(wait / SECOND), (perSecond.get(Math.floor(wait / SECOND)) ?? 0) + 1);
    expect(Math.max(...perSecond.values())).toBeLessThan(50);
  });

  it('is told less as soon as the endpoint is fast again', () => {
    const lanes = new EndpointLanes();
    attempt(lanes, 'a', 15 * SECOND, 15 * SECOND);
    const only = lanes.enter('a', newCaller(), 20 * SECOND) as Lane;
    enter(lanes, 'a', 100, 20 * SECOND);
    only.leave(50);
    let now = 20 * SECOND + 50;
    for (let n = 0; n < 20; n += 1) attempt(lanes, 'a', 50, (now += 50));
    enter(lanes, 'a', LANES, now);
    expect(lanes.enter('a', newCaller(), now)).toBeLessThan(2 * SECOND);
  });
});

/** A thousand jobs of one endpoint: each comes back when it was told, until it has had its attempt. */
function simulate(jobs: number, tookMs: (at: number) => number, untilMs: number) {
  const lanes = new EndpointLanes();
  const agenda: { at: number; act: (now: number) => void }[] = [];
  const asks: number[] = [];
  const ends: number[] = [];
  const ask = (now: number) => {
    asks.push(now);
    const entered = lanes.enter('a', newCaller(), now);
    if (!isLane(entered)) return void agenda.push({ at: now + entered, act: ask });
    const ms = tookMs(now);
    agenda.push({
      at: now + ms,
      act: (end) => {
        entered.leave(ms);
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
  it('that hangs come back seldom, and use its one lane', () => {
    const { asks, ends } = simulate(1_000, () => 15 * SECOND, 300 * SECOND);
    // Not a thousand a second.
    expect(asks.filter((at) => at > SECOND).length / 300).toBeLessThan(40);
    expect(ends.length).toBeGreaterThanOrEqual(20);
  });

  it.each([
    ['50 ms', () => 50, 60],
    ['2 s', () => 2 * SECOND, 600],
    ['15 s for a minute, then 50 ms', (at: number) => (at < 60 * SECOND ? 15 * SECOND : 50), 180],
  ])('that takes %s are all done in time', (_what, tookMs, seconds) => {
    expect(simulate(1_000, tookMs, seconds * SECOND).ends).toHaveLength(1_000);
  });
});

it('never more than four are under way, never fewer than may be, and every wait is within its limits', () => {
  const anyId = fc.constantFrom('a', 'b', 'c');
  const anyStep = fc.oneof(
    anyId.map((enters) => ({ enters })),
    fc.record({ leaves: fc.nat(7), twice: fc.boolean() }),
    fc.oneof(fc.nat(300), fc.nat(20 * SECOND)).map((passes) => ({ passes })),
  );
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 120 }), (steps) => {
      const lanes = new EndpointLanes();
      const inside: { id: string; since: number; lane: Lane }[] = [];
      const last = new Map<string, number>();
      let now = 0;
      for (const step of steps) {
        if ('passes' in step) now += step.passes;
        else if ('leaves' in step) {
          const [left] = inside.splice(step.leaves, 1);
          if (!left) continue;
          left.lane.leave(now - left.since);
          if (step.twice) left.lane.leave(0);
          last.set(left.id, now - left.since);
        } else {
          const id = step.enters;
          const before = inside.filter((one) => one.id === id).length;
          const bound = (last.get(id) ?? 0) > 5 * SECOND ? 1 : LANES;
          const entered = lanes.enter(id, newCaller(), now);
          expect(isLane(entered)).toBe(before < bound);
          if (isLane(entered)) inside.push({ id, since: now, lane: entered });
          else {
            expect(entered).toBeGreaterThanOrEqual(100);
            expect(entered).toBeLessThanOrEqual(60 * SECOND);
          }
        }
      }
    }),
    { numRuns: 1_000 },
  );
});

describe('what is remembered', () => {
  it('is no endpoint that was idle for ten minutes', () => {
    const lanes = new EndpointLanes();
    attempt(lanes, 'a', 15 * SECOND, 15 * SECOND);
    attempt(lanes, 'b', 50, 14 * SECOND + 600_000);
    expect(lanes.size).toBe(2);
    attempt(lanes, 'c', 50, 16 * SECOND + 600_000);
    expect(lanes.size).toBe(2);
  });

  it('is one with an attempt under way, however long', () => {
    const lanes = new EndpointLanes();
    const [first] = enter(lanes, 'a', 4, 0) as Lane[];
    attempt(lanes, 'b', 50, HOUR);
    expect(isLane(lanes.enter('a', newCaller(), HOUR))).toBe(false);
    first!.leave(HOUR);
    attempt(lanes, 'b', 50, 3 * HOUR);
    expect(lanes.size).toBe(2);
  });

  it('is no more than ten thousand', () => {
    const lanes = new EndpointLanes();
    for (let n = 0; n < 30_000; n += 1) attempt(lanes, `e${n}`, 1, n);
    expect(lanes.size).toBeLessThanOrEqual(10_001);
  });
});
