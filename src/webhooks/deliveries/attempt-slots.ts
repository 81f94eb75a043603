import { LRUCache } from 'lru-cache';

/** Whose slots an attempt takes; both are ids. */
export interface SlotOwner {
  readonly endpoint: string;
  readonly merchant: string;
}

export interface SlotLimits {
  /** Concurrent attempts to one endpoint. */
  readonly endpoint: number;
  /** Concurrent attempts to all endpoints of one merchant, deleted ones included. */
  readonly merchant: number;
  /** ms; the longest time between the turns of two jobs that wait for the same endpoint or merchant. */
  readonly turnMs: number;
  /** Attempts that wait in memory for slots of one merchant. */
  readonly line: number;
  /** The same for all merchants: a job that waits in memory occupies a worker. */
  readonly lines: number;
}

interface Taken {
  count: number;
  /** When a slot was last released; if none was, when the first was taken. */
  progressAt: number;
}

interface Waiting extends SlotOwner {
  /** Ends the wait, with a slot or without. */
  settle(hasSlot: boolean): void;
}

/** Turns before the first waiting job comes back: attempts in flight may end by then. */
const FIRST_TURN = 20;

/** ms; the shortest time between two turns. */
const MIN_TURN_MS = 1;

/** ms; the longest wait for a turn. */
const MAX_WAIT_MS = 300_000;

/** ms; attempts wait in memory only if the endpoint, and others of its merchant, are expected to answer sooner. */
const QUICK_MS = 100;

/** ms; a job that waits in memory for longer goes back to the queue. */
const LINE_MS = 250;

/** Limits how fast the estimate grows: concurrent attempts slow each other down. */
const GROWTH = 2;

/** Endpoints and merchants whose turns are remembered; jobs of others may come back too early. */
const MAX_TURNS = 10_000;

/**
 * A bulkhead: the concurrent attempts of this process in one queue, limited for each endpoint and each merchant, so
 * that none of them occupies a worker. A few jobs wait in memory for an endpoint that answers quickly, and begin as soon as
 * others end; any other job without a slot goes back to the queue with a delay.
 */
export class AttemptSlots {
  private readonly taken = new Map<string, Taken>();
  /** When the next job that gets no slot of an endpoint or merchant comes back. */
  private readonly turns = new LRUCache<string, number>({ max: MAX_TURNS });
  /** Estimated ms of an attempt at an endpoint or merchant, from the last ones; infinite if the last one failed. */
  private readonly durations = new LRUCache<string, number>({ max: MAX_TURNS });
  /** First come, first served. */
  private readonly line: Waiting[] = [];

  constructor(private readonly limits: SlotLimits) {}

  /**
   * Takes a slot, which must be released. Waits in memory for a moment if one is likely to become free.
   * @param now ms of a monotonic clock.
   * @returns 0; or, if there is no slot, how many ms to wait before asking again.
   */
  async takeSoon(owner: SlotOwner, now = performance.now()): Promise<number> {
    if (!this.mayStandInLine(owner, now)) return this.take(owner, now);
    return (await this.standInLine(owner)) ? 0 : this.take(owner);
  }

  /** The same without waiting. */
  take(owner: SlotOwner, now = performance.now()): number {
    const full = this.fullFor(owner);
    if (full) return this.turn(owner[full], this.limits[full], now);
    this.occupy(owner, now);
    return 0;
  }

  /** @param ms that the attempt took; undefined if it failed: that does not tell how long a success takes. */
  release({ endpoint, merchant }: SlotOwner, ms?: number, now = performance.now()): void {
    for (const id of [merchant, endpoint]) {
      this.add(id, -1, now);
      const last = this.durations.get(id) ?? Infinity;
      // At least 1: an estimate of 0 would never grow.
      this.durations.set(id, ms === undefined ? Infinity : Math.max(1, Math.min(ms, GROWTH * last)));
    }
    const next = this.line.find((one) => one.merchant === merchant && !this.fullFor(one));
    if (!next) return;
    this.occupy(next, now);
    next.settle(true);
  }

  /** Whose slots are all taken. */
  private fullFor({ endpoint, merchant }: SlotOwner): keyof SlotOwner | undefined {
    if (this.count(merchant) >= this.limits.merchant) return 'merchant';
    if (this.count(endpoint) >= this.limits.endpoint) return 'endpoint';
    return undefined;
  }

  private occupy({ endpoint, merchant }: SlotOwner, now: number): void {
    this.add(merchant, 1, now);
    this.add(endpoint, 1, now);
  }

  private mayStandInLine(owner: SlotOwner, now: number): boolean {
    if (!this.fullFor(owner) || this.line.length >= this.limits.lines) return false;
    const before = this.line.filter(({ merchant }) => merchant === owner.merchant);
    const { endpoint, merchant } = owner;
    const expectedMs = Math.max(this.expectedMs(endpoint, now), this.expectedMs(merchant, now));
    return before.length < this.limits.line && expectedMs < QUICK_MS;
  }

  /** @returns whether it has a slot. */
  private standInLine(owner: SlotOwner): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (hasSlot: boolean) => {
        clearTimeout(timer);
        this.line.splice(this.line.indexOf(waiting), 1);
        resolve(hasSlot);
      };
      const waiting = { ...owner, settle };
      const timer = setTimeout(() => settle(false), LINE_MS);
      this.line.push(waiting);
    });
  }

  /** Spaces retries evenly, at the rate at which slots become free. @returns ms until the job's turn. */
  private turn(id: string, slots: number, now: number): number {
    const freeEveryMs = this.expectedMs(id, now) / slots;
    const turnMs = Math.max(MIN_TURN_MS, Math.min(freeEveryMs, this.limits.turnMs));
    const at = Math.max(this.turns.get(id) ?? 0, now + FIRST_TURN * turnMs);
    this.turns.set(id, Math.min(at + turnMs, now + MAX_WAIT_MS));
    return at - now;
  }

  /** ms; the longer of the estimate and the time since an attempt last ended, while some are in flight. */
  private expectedMs(id: string, now: number): number {
    const { progressAt = now } = this.taken.get(id) ?? {};
    return Math.max(this.durations.get(id) ?? 0, now - progressAt);
  }

  private count(id: string): number {
    return this.taken.get(id)?.count ?? 0;
  }

  private add(id: string, change: 1 | -1, now: number): void {
    const { count, progressAt } = this.taken.get(id) ?? { count: 0, progressAt: now };
    if (count + change === 0) this.taken.delete(id);
    else this.taken.set(id, { count: count + change, progressAt: change < 0 ? now : progressAt });
  }
}
