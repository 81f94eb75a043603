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
  /** ms; the most between the turns of jobs that wait for slots of the same endpoint or merchant. */
  readonly turnMs: number;
  /** Attempts that stand in line for slots of one merchant. */
  readonly line: number;
  /** The same, of all merchants: whoever stands in line occupies a worker. */
  readonly lines: number;
}

interface Taken {
  count: number;
  /** When the first of them was taken, or one was last released. */
  progressAt: number;
}

interface Waiting extends SlotOwner {
  /** Ends its wait: it has a slot now, or waited for too long. */
  settle(hasSlot: boolean): void;
}

/** Turns until the first job that waits comes back: attempts that are running may end until then. */
const FIRST_TURN = 20;

/** ms; the least between two turns, of an endpoint that answers at once. */
const MIN_TURN_MS = 1;

/** ms; the longest wait for a turn. */
const MAX_WAIT_MS = 300_000;

/** ms; attempts stand in line only where the endpoint, and others of its merchant, are expected to answer sooner. */
const QUICK_MS = 100;

/** ms; who stood in line for longer goes back to the queue. */
const LINE_MS = 250;

/** Factor by which the remembered duration may grow with each attempt: many that are under way slow each other down. */
const GROWTH = 2;

/** Endpoints and merchants whose turns are remembered; of others the jobs come back sooner than necessary. */
const MAX_TURNS = 10_000;

/**
 * A bulkhead: the concurrent attempts of this process in one queue, limited for each endpoint and each merchant, so
 * that none of them occupies a worker. A few stand in line for an endpoint that answers quickly, and begin as soon as
 * others end; any other job without a slot goes back to the queue for a while.
 */
export class AttemptSlots {
  private readonly taken = new Map<string, Taken>();
  /** When the next job that finds no slot of an endpoint or merchant comes back. */
  private readonly turns = new LRUCache<string, number>({ max: MAX_TURNS });
  /** ms that the quickest of the last successful attempts of an endpoint or merchant took; infinite if the last failed. */
  private readonly durations = new LRUCache<string, number>({ max: MAX_TURNS });
  /** In the order in which they came. */
  private readonly line: Waiting[] = [];

  constructor(private readonly limits: SlotLimits) {}

  /**
   * Takes a slot, which must be released, and stands in line for it for a moment where that is likely to help.
   * @param now ms of a monotonic clock.
   * @returns 0; or, if there is no slot, how many ms to wait before asking again.
   */
  async takeSoon(owner: SlotOwner, now = performance.now()): Promise<number> {
    if (!this.mayStandInLine(owner, now)) return this.take(owner, now);
    return (await this.standInLine(owner)) ? 0 : this.take(owner);
  }

  /** Likewise, at once or not at all. */
  take(owner: SlotOwner, now = performance.now()): number {
    const full = this.fullFor(owner);
    if (full) return this.turn(owner[full], this.limits[full], now);
    this.occupy(owner, now);
    return 0;
  }

  /** @param ms that the attempt took; absent if it failed, which tells nothing of how long a success takes. */
  release({ endpoint, merchant }: SlotOwner, ms?: number, now = performance.now()): void {
    for (const id of [merchant, endpoint]) {
      this.add(id, -1, now);
      const last = this.durations.get(id) ?? Infinity;
      // Durations are whole milliseconds, and twice 0 would never grow.
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

  /** Turns are one after another, as fast as slots become free: of thousands of waiting jobs few come back in vain. */
  private turn(id: string, slots: number, now: number): number {
    const freeEveryMs = this.expectedMs(id, now) / slots;
    const turnMs = Math.max(MIN_TURN_MS, Math.min(freeEveryMs, this.limits.turnMs));
    const at = Math.max(this.turns.get(id) ?? 0, now + FIRST_TURN * turnMs);
    this.turns.set(id, Math.min(at + turnMs, now + MAX_WAIT_MS));
    return at - now;
  }

  /** How long an attempt takes, to judge by earlier ones and by those under way, of which none has ended for a while. */
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
