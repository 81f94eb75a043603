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
}

/** Turns until the first job that waits comes back: attempts that are running may end until then. */
const FIRST_TURN = 20;

/** ms; the least between two turns, of an endpoint that answers at once. */
const MIN_TURN_MS = 1;

/** ms; the longest wait. */
const MAX_WAIT_MS = 300_000;

/** Factor by which the remembered duration may grow with each attempt: many that are under way slow each other down. */
const GROWTH = 2;

/** Endpoints and merchants whose turns are remembered; of others the jobs come back sooner than necessary. */
const MAX_TURNS = 10_000;

/**
 * A bulkhead: the concurrent attempts of this process in one queue, limited for each endpoint and each merchant, so
 * that none of them occupies a worker. Nothing waits here: a job without a slot goes back to the queue for a while.
 */
export class Slots {
  private readonly taken = new Map<string, number>();
  /** When the next job that finds no slot of an endpoint or merchant comes back. */
  private readonly turns = new LRUCache<string, number>({ max: MAX_TURNS });
  /** ms that the quickest of the last successful attempts of an endpoint or merchant took. */
  private readonly durations = new LRUCache<string, number>({ max: MAX_TURNS });

  constructor(private readonly limits: SlotLimits) {}

  /**
   * Takes a slot, which must be released.
   * @param now ms of a monotonic clock.
   * @returns 0; or, if there is no slot, how many ms to wait before asking again.
   */
  take({ endpoint, merchant }: SlotOwner, now = performance.now()): number {
    const { limits } = this;
    if (this.count(merchant) >= limits.merchant) return this.turn(merchant, limits.merchant, now);
    if (this.count(endpoint) >= limits.endpoint) return this.turn(endpoint, limits.endpoint, now);
    this.add(merchant, 1);
    this.add(endpoint, 1);
    return 0;
  }

  /** @param ms that the attempt took; absent if it failed, which tells nothing of how long a success takes. */
  release({ endpoint, merchant }: SlotOwner, ms?: number): void {
    for (const id of [merchant, endpoint]) {
      this.add(id, -1);
      if (ms === undefined) this.durations.delete(id);
      else this.durations.set(id, Math.min(ms, GROWTH * (this.durations.get(id) ?? ms)));
    }
  }

  /** Turns are one after another, as fast as slots become free: of thousands of waiting jobs few come back in vain. */
  private turn(id: string, slots: number, now: number): number {
    const freeEveryMs = (this.durations.get(id) ?? Infinity) / slots;
    const turnMs = Math.max(MIN_TURN_MS, Math.min(freeEveryMs, this.limits.turnMs));
    const at = Math.max(this.turns.get(id) ?? 0, now + FIRST_TURN * turnMs);
    this.turns.set(id, Math.min(at + turnMs, now + MAX_WAIT_MS));
    return at - now;
  }

  private count(id: string): number {
    return this.taken.get(id) ?? 0;
  }

  private add(id: string, change: 1 | -1): void {
    const count = this.count(id) + change;
    if (count === 0) this.taken.delete(id);
    else this.taken.set(id, count);
  }
}
