/** Attempts under way at the same time, for one endpoint in this process. */
export const LANES = 4;

/** Milliseconds: an endpoint whose last attempt took longer is slow, and has one lane until it is not. */
const SLOW_MS = 5_000;

/** Milliseconds of the shortest and of the longest wait. */
const MIN_WAIT_MS = 100;
const MAX_WAIT_MS = 60_000;

/** Milliseconds that an attempt is thought to take, of an endpoint that is not known yet, and at least. */
const UNKNOWN_MS = 200;
const FASTEST_MS = 20;

/** Milliseconds for which an idle endpoint is remembered, and how many are at most. */
const IDLE_MS = 600_000;
const MAX_ENDPOINTS = 10_000;

/** Callers of one endpoint that are remembered, to be called in; and milliseconds until one is taken not to come. */
const MAX_WAITING = 10_000;
const CALL_MS = 1_000;

/** Milliseconds before its time from which on a caller comes by itself. */
const SOON_MS = 500;

/** Spreads numbers evenly over 0 to 1, however many there will be. */
const GOLDEN = 0.618_033_988_749_895;

/** The right to one attempt. */
export interface Lane {
  /**
   * To be called once the attempt is over, with the milliseconds that it took; without them where there was none,
   * which says nothing of the endpoint. A second call does nothing.
   * @returns callers for whom there is room now: they need not wait for the time that they were told.
   */
  leave(ms?: number): string[];
}

interface Endpoint {
  /** When each attempt under way began. */
  readonly underway: Set<{ readonly since: number }>;
  /** Milliseconds: what the last attempt took, and what attempts took of late. */
  lastMs: number;
  usualMs: number;
  /** Until when those who were told to come back will need all lanes. */
  bookedUntil: number;
  /** Callers that were told to come back at some time, the longest ago first; and those called in, with when. */
  readonly waiting: Map<string, number>;
  readonly called: Map<string, number>;
  usedAt: number;
}

/**
 * Bounds how many attempts one endpoint has under way, so that one that hangs does not keep the workers from all
 * others. Nobody waits here: who finds no lane is told when to come back, at the latest; who leaves is told whom to
 * call in before that.
 */
export class EndpointLanes {
  /** The longest unused first. */
  private readonly endpoints = new Map<string, Endpoint>();
  private latecomers = 0;

  /** How many endpoints are remembered. */
  get size(): number {
    return this.endpoints.size;
  }

  /**
   * @param caller names who asks; the same when it comes back.
   * @param now milliseconds of a clock that never goes back.
   * @returns a lane; or the milliseconds after which there may be one for this caller, 100 to 60,000. Each caller gets
   * a time of its own, one after the other as lanes are thought to become free.
   */
  enter(endpointId: string, caller: string, now = performance.now()): Lane | number {
    this.forget(now);
    const endpoint = this.use(endpointId, now);
    endpoint.waiting.delete(caller);
    endpoint.called.delete(caller);
    if (endpoint.underway.size >= lanesOf(endpoint)) {
      const wait = this.book(endpoint, now);
      if (endpoint.waiting.size < MAX_WAITING) endpoint.waiting.set(caller, now + wait);
      return wait;
    }
    const attempt = { since: now };
    endpoint.underway.add(attempt);
    return {
      leave: (ms) => {
        if (!endpoint.underway.delete(attempt)) return [];
        if (ms !== undefined) finish(endpoint, ms, now + ms);
        return callIn(endpoint, now + (ms ?? 0));
      },
    };
  }

  private use(endpointId: string, now: number): Endpoint {
    const known = this.endpoints.get(endpointId);
    const endpoint = known ?? {
      underway: new Set(),
      lastMs: 0,
      usualMs: UNKNOWN_MS,
      bookedUntil: 0,
      waiting: new Map<string, number>(),
      called: new Map<string, number>(),
      usedAt: now,
    };
    endpoint.usedAt = now;
    this.endpoints.delete(endpointId);
    this.endpoints.set(endpointId, endpoint);
    return endpoint;
  }

  private book(endpoint: Endpoint, now: number): number {
    const at = Math.max(endpoint.bookedUntil, nextLaneAt(endpoint, now), now + MIN_WAIT_MS);
    if (at - now < MAX_WAIT_MS) {
      endpoint.bookedUntil = at + pace(endpoint, now);
      return at - now;
    }
    // Too far away to say when: spread over the second half of the longest wait.
    this.latecomers += 1;
    return (MAX_WAIT_MS / 2) * (1 + ((this.latecomers * GOLDEN) % 1));
  }

  private forget(now: number): void {
    for (const [id, { underway, usedAt }] of this.endpoints) {
      if (now - usedAt < IDLE_MS && this.endpoints.size <= MAX_ENDPOINTS) return;
      if (underway.size === 0) this.endpoints.delete(id);
    }
  }
}

function lanesOf({ lastMs }: Endpoint): number {
  return lastMs > SLOW_MS ? 1 : LANES;
}

/** Milliseconds that an attempt is thought to take: as long as usual, or as the longest under way has by now. */
function expectedMs({ usualMs, underway }: Endpoint, now: number): number {
  return Math.max(FASTEST_MS, usualMs, ...[...underway].map(({ since }) => now - since));
}

/** Milliseconds from one lane that becomes free to the next. */
function pace(endpoint: Endpoint, now: number): number {
  return expectedMs(endpoint, now) / lanesOf(endpoint);
}

/** When there will be fewer attempts under way than lanes. */
function nextLaneAt(endpoint: Endpoint, now: number): number {
  const ends = [...endpoint.underway].map(({ since }) => {
    const elapsed = now - since;
    // One that takes longer than thought is thought to take twice what it has by now.
    return elapsed < endpoint.usualMs ? since + endpoint.usualMs : now + elapsed;
  });
  ends.sort((a, b) => a - b);
  return ends[ends.length - lanesOf(endpoint)] ?? now;
}

/** Those who wait, as many as there are lanes that nobody uses or is on the way to. */
function callIn(endpoint: Endpoint, now: number): string[] {
  const { underway, waiting, called } = endpoint;
  for (const [caller, at] of called) if (now - at > CALL_MS) called.delete(caller);
  const free = Math.max(0, lanesOf(endpoint) - underway.size - called.size);
  const next: string[] = [];
  for (const [caller, at] of waiting) {
    if (next.length === free) break;
    waiting.delete(caller);
    // Who is on the way already is not called: the queue may take both for one coming.
    if (at - now < SOON_MS) continue;
    called.set(caller, now);
    next.push(caller);
  }
  return next;
}

function finish(endpoint: Endpoint, ms: number, now: number): void {
  const before = pace(endpoint, now);
  endpoint.usedAt = now;
  endpoint.lastMs = ms;
  endpoint.usualMs += (ms - endpoint.usualMs) / 4;
  // What was booked at a slow pace is over sooner at a faster one; at a slower one, those who return book again.
  const factor = Math.min(1, pace(endpoint, now) / before);
  endpoint.bookedUntil = now + Math.max(0, endpoint.bookedUntil - now) * factor;
}
