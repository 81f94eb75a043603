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
  /** ms between the turns of jobs that wait for slots of the same endpoint or merchant. */
  readonly turnMs: number;
}

/** Turns until the first job that waits comes back: attempts that are running may end until then. */
const FIRST_TURN = 20;

/** ms; the longest wait. */
const MAX_WAIT_MS = 300_000;

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

  constructor(private readonly limits: SlotLimits) {}

  /**
   * Takes a slot, which must be released.
   * @param now ms of a monotonic clock.
   * @returns 0; or, if there is no slot, how many ms to wait before asking again.
   */
  take({ endpoint, merchant }: SlotOwner, now = performance.now()): number {
    if (this.count(merchant) >= this.limits.merchant) return this.turn(merchant, now);
    if (this.count(endpoint) >= this.limits.endpoint) return this.turn(endpoint, now);
    this.add(merchant, 1);
    this.add(endpoint, 1);
    return 0;
  }

  release({ endpoint, merchant }: SlotOwner): void {
    this.add(merchant, -1);
    this.add(endpoint, -1);
  }

  /** Turns are one after another, so that of thousands of waiting jobs few come back in vain. */
  private turn(id: string, now: number): number {
    const { turnMs } = this.limits;
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
